import { asList, asObject, asString } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { compileAdmission, compileCondition } from '../cel/condition.ts';
import type { Variables } from '../cel/evaluate.ts';
import { createVariables } from '../cel/lazy-variables.ts';
import { dynType } from '../cel/type.ts';
import type { Type } from '../cel/type.ts';
import { evaluated } from './answer.ts';
import type { CelAnswer } from './answer.ts';
import { answerRuleCase } from './answer-rule.ts';
import { authorizerVariables } from './authorizer-variables.ts';
import { requestOfAttributes } from './case-request.ts';

/** An answer under the name of its case. */
export interface CaseAnswer extends CelAnswer {
  readonly name: string;
}

/**
 * Evaluates every case of a document in the form of cel-cases.json: `{"fixtures": …, "cases": […]}`, or a list of cases
 * (`name`, `context`, `expression`, `vars`, `returns`).
 */
export function answerCases(document: JsonValue): readonly CaseAnswer[] {
  const fixtures = asObject(asObject(document)['fixtures']);
  const cases = Array.isArray(document) ? document : asList(asObject(document)['cases']);
  return cases.map((one) => {
    const row = asObject(one);
    return { name: asString(row['name']), ...answerCase(row, fixtures) };
  });
}

function answerCase(row: JsonObject, fixtures: JsonObject): CelAnswer {
  const given = asObject(row['vars']);
  const names = Object.keys(given);
  const variables: JsonObject = Object.fromEntries(names.map((name) => [name, resolved(given[name], fixtures)]));
  const expression = asString(row['expression']);
  if (row['context'] === 'crd') return answerRuleCase(row, resolved(row['schema'], fixtures), variables);
  return answerAdmission(row, expression, variables);
}

const overBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

function answerAdmission(row: JsonObject, expression: string, variables: JsonObject): CelAnswer {
  const isMatch = row['context'] === 'matchCondition';
  const base = { stored: true, params: !isMatch, patch: row['context'] === 'mutation' };
  const composite = compositeOf(asList(variables['variables']), base);
  const returns = row['returns'] === undefined ? undefined : [asString(row['returns'])];
  const compilation = isMatch
    ? compileCondition(expression, { stored: true })
    : compileAdmission(expression, { ...base, variables: composite.types }, returns);
  if (compilation.outcome === 'failed') return { error: compilation.error };
  const request = requestOfAttributes(variables['request'] ?? null);
  const authorizer = authorizerVariables(asList(variables['authorizer']), request);
  const outer: Variables = (name) => (name === 'request' ? request : (authorizer.get(name) ?? variables[name]));
  const lazy = createVariables(composite.compiled, (name) => (name === 'variables' ? lazy.value : outer(name)), {
    costLimit: 1_000_000,
  });
  const answered = evaluated(compilation.compiled, (name) => (name === 'variables' ? lazy.value : outer(name)));
  const cost = (answered.cost ?? 0) + lazy.cost();
  return typeof row['budget'] === 'number' && cost > row['budget'] ? { error: overBudget } : { ...answered, cost };
}

interface Composite {
  readonly types: ReadonlyMap<string, Type>;
  readonly compiled: ReadonlyMap<string, ReturnType<typeof compileAdmission>>;
}

/** The `variables` of a case: each may use those before it. */
function compositeOf(list: readonly JsonValue[], base: Parameters<typeof compileAdmission>[1]): Composite {
  const types = new Map<string, Type>();
  const compiled = new Map<string, ReturnType<typeof compileAdmission>>();
  for (const { name, expression } of list.map(asObject)) {
    const compilation = compileAdmission(asString(expression), { ...base, variables: new Map(types) }, undefined);
    compiled.set(asString(name), compilation);
    types.set(asString(name), compilation.outcome === 'compiled' ? compilation.compiled.checked.type : dynType);
  }
  return { types, compiled };
}

/** `{"$fixture": "pod.object"}` stands for a value given once. */
function resolved(value: JsonValue | undefined, fixtures: JsonObject): JsonValue {
  const path = asObject(value)['$fixture'];
  if (typeof path !== 'string') return value ?? null;
  return path.split('.').reduce<JsonValue>((found, key) => asObject(found)[key] ?? null, fixtures);
}
