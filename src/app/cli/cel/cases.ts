import {
  type AdmissionEnvironmentOptions,
  compileAdmission,
  compileCondition,
  createVariables,
  evaluateWithin,
  type LazyVariables,
  type Variables,
} from '../../../cel/index.ts';
import { dynType, type Type } from '../../../cel/vocabulary.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { evaluateRuleCase, toCelAnswer, type CelAnswer, evaluationOptions } from './answer.ts';
import { authorizerVariables, omitEmptyFields } from './variables.ts';

export interface CaseAnswer extends CelAnswer {
  readonly name: string;
}

/**
 * Evaluates every case of a document in the form of cel-cases.json: `{"fixtures": …, "cases": […]}`, or a list of cases
 * (`name`, `context`, `expression`, `vars`, `returns`).
 */
export function evaluateCases(document: JsonValue): readonly CaseAnswer[] {
  const fixtures = asObject(asObject(document)['fixtures']);
  const cases = Array.isArray(document) ? document : asList(asObject(document)['cases']);
  return cases.map((one) => {
    const row = asObject(one);
    return { name: asString(row['name']), ...evaluateCase(row, fixtures) };
  });
}

function evaluateCase(row: JsonObject, fixtures: JsonObject): CelAnswer {
  const given = asObject(row['vars']);
  const names = Object.keys(given);
  const variables: JsonObject = Object.fromEntries(names.map((name) => [name, resolveFixture(given[name], fixtures)]));
  const expression = asString(row['expression']);
  if (row['context'] === 'crd') return evaluateRuleCase(row, resolveFixture(row['schema'], fixtures), variables);
  return evaluateAdmissionCase(row, expression, variables);
}

function evaluateAdmissionCase(row: JsonObject, expression: string, variables: JsonObject): CelAnswer {
  const isMatch = row['context'] === 'matchCondition';
  const base = { stored: true, params: !isMatch, patch: row['context'] === 'mutation' };
  const request = attributesRequest(variables['request'] ?? null);
  const authorizer = authorizerVariables(asList(variables['authorizer']), request);
  const outer: Variables = (name) => (name === 'request' ? request : (authorizer.get(name) ?? variables[name]));
  const { types, lazy, lookup } = composeVariables(asList(variables['variables']), base, outer);
  const returns = row['returns'] === undefined ? undefined : [asString(row['returns'])];
  const compilation = isMatch
    ? compileCondition(expression, { stored: true })
    : compileAdmission(expression, { ...base, variables: types }, returns);
  if (compilation.outcome === 'failed') return { error: compilation.error };
  const { compiled } = compilation;
  const remaining = typeof row['budget'] === 'number' ? row['budget'] : Infinity;
  const budgeted = evaluateWithin({ remaining, lazy }, compiled, lookup, evaluationOptions);
  if (budgeted.outcome === 'fatal') return { error: budgeted.error };
  const answered = toCelAnswer(compiled, budgeted.evaluation);
  return { ...answered, cost: budgeted.evaluation.cost + lazy.cost() };
}

/** Replaces `{"$fixture": "pod.object"}` with the value of that name. */
function resolveFixture(value: JsonValue | undefined, fixtures: JsonObject): JsonValue {
  const path = asObject(value)['$fixture'];
  if (typeof path !== 'string') return value ?? null;
  return path.split('.').reduce<JsonValue>((found, key) => asObject(found)[key] ?? null, fixtures);
}

interface Composite {
  readonly types: ReadonlyMap<string, Type>;
  readonly lazy: LazyVariables;
  /** `variables` and the variables around them. */
  readonly lookup: Variables;
}

/** The `variables` of a case, a list of `name` and `expression`: each may use those before it. */
export function composeVariables(
  list: readonly JsonValue[],
  base: AdmissionEnvironmentOptions,
  outer: Variables,
): Composite {
  const types = new Map<string, Type>();
  const compiled = new Map<string, ReturnType<typeof compileAdmission>>();
  for (const { name, expression } of list.map(asObject)) {
    const compilation = compileAdmission(asString(expression), { ...base, variables: new Map(types) }, undefined);
    compiled.set(asString(name), compilation);
    types.set(asString(name), compilation.outcome === 'compiled' ? compilation.compiled.checked.type : dynType);
  }
  const lookup: Variables = (name) => (name === 'variables' ? lazy.value : outer(name));
  const lazy: LazyVariables = createVariables(compiled, lookup, evaluationOptions);
  return { types, lazy, lookup };
}

/** The attributes of a case without any. */
const defaultAttributes: JsonObject = {
  operation: 'CREATE',
  name: 'endpoints1',
  namespace: 'default',
  username: 'alice',
  uid: 'u-1',
  groups: ['system:authenticated'],
  version: 'v1',
  kind: 'Endpoints',
  resource: 'endpoints',
};

/** The `request` of the admission attributes that a case lists; empty texts are absent (rule CEL-3). */
export function attributesRequest(given: JsonValue): JsonObject {
  const from = given === null ? defaultAttributes : asObject(given);
  const { version = '', group = '', username, uid, groups, extra } = from;
  const kind = { group, version, kind: from['kind'] };
  const resource = { group, version, resource: from['resource'] };
  return omitEmptyFields({
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    subResource: from['subresource'],
    requestSubResource: from['subresource'],
    name: from['name'],
    namespace: from['namespace'],
    operation: from['operation'],
    userInfo: omitEmptyFields({ username, uid, groups, extra }),
    dryRun: from['dryRun'] ?? false,
  });
}
