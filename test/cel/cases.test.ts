import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import { plainValue, readJson } from '../../src/machinery/json/json-reader.ts';
import { compileAdmission, compileCondition, evaluateWithin } from '../../src/cel/index.ts';
import { typeText } from '../../src/cel/check/type.ts';
import { valueToJson } from '../../src/cel/value/value-json.ts';
import { authorizerVariables } from '../../src/app/cli/cel/variables.ts';
import { composeVariables, attributesRequest } from '../../src/app/cli/cel/cases.ts';
import { ruleOutcome } from './case-rule.ts';
import { sorted } from './case-value.ts';

// Source: test/facts/vectors/cel-cases.json, whose expectations were produced by running kube-apiserver's own CEL code.
const reading = readJson(readFileSync('test/facts/vectors/cel-cases.json', 'utf8'));
const document = asObject(reading.outcome === 'read' ? plainValue(reading.json.value) : null);
const fixtures = asObject(document['fixtures']);
const cases = asList(document['cases']).map(asObject);

const costLimit = 1_000_000;
const policyBudget = 10_000_000;

const rows = cases.map((row): [string, JsonObject] => [asString(row['name']), row]);

test('every case is read', () => {
  expect(rows.length).toBeGreaterThan(300);
});

test.each(rows)('%s', (_name, row) => {
  const wanted = asObject(row['expect']);
  const outcome = row['context'] === 'crd' ? runRule(row) : run(row);
  const expected = {
    ...pick(row, 'estimatedMaxCost', 'fieldErrors', 'messageExpressionError'),
    ...('value' in wanted ? { value: sorted(wanted['value'] ?? null) } : {}),
    ...('error' in wanted ? { error: wanted['error'] } : {}),
    ...('compileError' in wanted ? { compileError: wanted['compileError'] } : {}),
    ...(row['type'] === undefined ? {} : { type: row['type'] }),
    ...(row['cost'] === undefined ? {} : { cost: row['cost'] }),
  };
  expect(outcome).toMatchObject(expected);
});

const pick = (row: JsonObject, ...fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.filter((field) => row[field] !== undefined).map((field) => [field, row[field]]));

function runRule(row: JsonObject): JsonObject {
  const given = asObject(row['vars']);
  const variables = Object.fromEntries(Object.keys(given).map((name) => [name, resolved(given[name])]));
  return ruleOutcome(row, resolved(row['schema']), variables);
}

interface Outcome {
  readonly value?: JsonValue;
  readonly error?: string;
  readonly compileError?: string;
  readonly type?: string;
  readonly cost?: number;
}

function run(row: JsonObject): Outcome {
  const given = asObject(row['vars']);
  const variable = (name: string): JsonValue => resolved(given[name]);
  const isMatch = row['context'] === 'matchCondition';
  const base = { stored: true, params: !isMatch, patch: row['context'] === 'mutation' };
  const request = attributesRequest(variable('request'));
  const authorizer = authorizerVariables(asList(variable('authorizer')), request);
  const { types, lazy, lookup } = composeVariables(asList(given['variables']), base, (name) =>
    name === 'request' ? request : (authorizer.get(name) ?? variable(name)),
  );
  const expression = asString(row['expression']);
  const returns = row['returns'] === undefined ? undefined : [asString(row['returns'])];
  const compilation = isMatch
    ? compileCondition(expression, { stored: true })
    : compileAdmission(expression, { ...base, variables: types }, returns);
  if (compilation.outcome === 'failed') return { compileError: compilation.error };
  const remaining = typeof row['budget'] === 'number' ? row['budget'] : policyBudget;
  const budgeted = evaluateWithin({ remaining, lazy }, compilation.compiled, lookup, { costLimit });
  if (budgeted.outcome === 'fatal') return { error: budgeted.error };
  const { evaluation } = budgeted;
  const { type } = compilation.compiled.checked;
  const common = { type: typeText(type), cost: evaluation.cost + lazy.cost() };
  if (evaluation.outcome === 'error') return { error: evaluation.error, ...common };
  return { value: sorted(valueToJson(evaluation.value)), ...common };
}

/** `{"$fixture": "pod.object"}` stands for a value given once. */
function resolved(value: JsonValue | undefined): JsonValue {
  const path = asObject(value)['$fixture'];
  if (typeof path !== 'string') return value ?? null;
  return path.split('.').reduce<JsonValue>((found, key) => asObject(found)[key] ?? null, fixtures);
}
