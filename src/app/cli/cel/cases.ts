import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { compileAdmission, compileCondition, evaluateWithin } from '../../../cel/index.ts';
import type { Variables } from '../../../cel/index.ts';
import { answerOf, evaluationOptions } from './answer.ts';
import type { CelAnswer } from './answer.ts';
import { answerRuleCase } from './answer-rule.ts';
import { authorizerVariables } from './authorizer-variables.ts';
import { requestOfAttributes } from './case-request.ts';
import { compositeOf } from './case-composite.ts';

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

function answerAdmission(row: JsonObject, expression: string, variables: JsonObject): CelAnswer {
  const isMatch = row['context'] === 'matchCondition';
  const base = { stored: true, params: !isMatch, patch: row['context'] === 'mutation' };
  const request = requestOfAttributes(variables['request'] ?? null);
  const authorizer = authorizerVariables(asList(variables['authorizer']), request);
  const outer: Variables = (name) => (name === 'request' ? request : (authorizer.get(name) ?? variables[name]));
  const { types, lazy, lookup } = compositeOf(asList(variables['variables']), base, outer);
  const returns = row['returns'] === undefined ? undefined : [asString(row['returns'])];
  const compilation = isMatch
    ? compileCondition(expression, { stored: true })
    : compileAdmission(expression, { ...base, variables: types }, returns);
  if (compilation.outcome === 'failed') return { error: compilation.error };
  const { compiled } = compilation;
  const remaining = typeof row['budget'] === 'number' ? row['budget'] : Infinity;
  const budgeted = evaluateWithin({ remaining, lazy }, compiled, lookup, evaluationOptions);
  if (budgeted.outcome === 'fatal') return { error: budgeted.error };
  const answered = answerOf(compiled, budgeted.evaluation);
  return { ...answered, cost: budgeted.evaluation.cost + lazy.cost() };
}

/** `{"$fixture": "pod.object"}` stands for a value given once. */
function resolved(value: JsonValue | undefined, fixtures: JsonObject): JsonValue {
  const path = asObject(value)['$fixture'];
  if (typeof path !== 'string') return value ?? null;
  return path.split('.').reduce<JsonValue>((found, key) => asObject(found)[key] ?? null, fixtures);
}
