import { expect, test } from 'vitest';
import type { Authorize } from '../../../../src/apiserver/auth/authorizer.ts';
import { conditionCompiler } from '../../../../src/apiserver/admission/validation/validate-match-conditions.ts';
import { createExpressions } from '../../../../src/apiserver/admission/matching/expression-engine.ts';
import { requestVariable } from '../../../../src/apiserver/admission/matching/request-variable.ts';
import { loadRelease } from '../../../../src/api/release/load-release.ts';
import * as cel from '../../../../src/cel/index.ts';
import { configMap, creating } from '../../../harness/admission.ts';

const authorize: Authorize = ({ user, verb }) => ({
  allowed: verb === 'get' && user.username !== 'system:serviceaccount:default:robot',
  reason: '',
});
const standing = createExpressions(cel);
const typed = createExpressions(cel, { types: (await loadRelease('1.37')).codec.types });

function resultOf(expression: string, engine = standing, budget = 2_500_000) {
  const request = creating(configMap({ run: 'no', long: 'x'.repeat(100) }));
  const { object, oldObject } = request;
  const variables = {
    object,
    oldObject,
    request: () => requestVariable(request, request),
    namespaceObject: () => null,
    requester: { request, authorize },
  };
  return engine.evaluator(variables)(engine.compile(expression, { stored: true }, ['bool']), budget);
}

function evaluate(expression: string, engine = standing) {
  const result = resultOf(expression, engine);
  switch (result.outcome) {
    case 'value':
      return result.value;
    case 'error':
    case 'uncompilable':
      return result.error;
    case 'out-of-budget':
      return result.outcome;
  }
}

// Source: recorded conversations of group conditions; spec rules CEL-1 to CEL-3, CEL-8
test.each<[expression: string, result: boolean | string]>([
  ["object.metadata.labels.run == 'no'", true],
  ["object.metadata.labels.run != 'no'", false],
  ['oldObject == null', true],
  ["object.metadata.labels.none == 'x'", 'no such key: none'],
  ["request.operation == 'CREATE' && request.kind.kind == 'ConfigMap'", true],
  ["request.userInfo.groups.exists(g, g == 'system:masters')", true],
  ['request.dryRun', false],
  ['has(request.subResource)', false],
  ["authorizer.group('').resource('pods').check('get').allowed()", true],
  ["authorizer.group('').resource('pods').check('delete').allowed()", false],
  ["authorizer.serviceAccount('default', 'robot').group('').resource('pods').check('get').allowed()", false],
  ["authorizer.requestResource.check('get').allowed()", true],
  ["authorizer.path('/healthz').check('post').allowed()", false],
  [
    'params.x == 1',
    "compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.x == 1\n | ^",
  ],
  ['1 + 1', 'must evaluate to bool but got int'],
])('%s evaluates to %s', (expression, result) => {
  expect(evaluate(expression)).toBe(result);
});

test('an expression that is stored is compiled as any other', () => {
  const compileCondition = conditionCompiler(standing.compile);
  expect(compileCondition('true', { stored: false })).toBeUndefined();
  expect(compileCondition('"text"', { stored: false })).toMatchObject({
    error: 'must evaluate to bool but got string',
  });
});

const labels = 'object.metadata.labels';

// What a person needs to see why a condition did not hold; ours.
test.each<[fact: string, expression: string, values: readonly string[] | undefined]>([
  ['a true one needs no explanation', `${labels}.run == 'no'`, undefined],
  ['a false one shows what it compared', `${labels}.run == 'yes'`, [`${labels}.run was "no"`]],
  ['a failed one shows where it failed', `${labels}.none == 'x'`, [`${labels}.none was no such key: none`]],
  ['long values are cut', `${labels}.long == 'y'`, [`${labels}.long was "${'x'.repeat(79)}…`]],
  [
    'six parts are enough',
    "[request.name, request.namespace, request.operation, request.kind.kind, request.kind.version, request.kind.group, request.resource.resource].all(s, s == '?')",
    Array.from({ length: 6 }, () => expect.stringContaining(' was ')),
  ],
])('%s', (_fact, expression, values) => {
  const result = resultOf(expression);
  const isTrue = result.outcome === 'value' && result.value === true;
  const found = 'parts' in result && !isTrue ? result.parts() : undefined;
  expect(found?.map(({ expression: part, value }) => `${part} was ${value}`)).toEqual(values);
});

// Ours: the compared values come from a second evaluation.
test.each([
  [100_000, [`${labels}.run`]],
  [100_001, []],
])('an expression with cost %i has the parts %j', (dear, reported) => {
  const length = dear - 18;
  const result = resultOf(`${labels}.run == 'yes' || lists.range(${length}).size() > ${length}`);
  expect(result).toMatchObject({ outcome: 'value', value: false, cost: dear });
  const parts = 'parts' in result ? result.parts() : [];
  expect(parts.map(({ expression }) => expression)).toEqual(reported);
});

const object = configMap();
const alone = { object, oldObject: null, request: () => ({}), namespaceObject: () => null, requester: null };
const compiled = (text: string) => standing.compile(text, { stored: true });

// Source: apiserver pkg/apis/cel/config.go CheckFrequency, cel-go interpreter/interpretable.go evalFold
test('an evaluation ends at the next hundredth round when its request is over, and shows no parts then', () => {
  let asked = 0;
  const evaluate = standing.evaluator(alone, undefined, undefined, () => (asked += 1) > 3);
  const result = evaluate(compiled('lists.range(1000).all(x, x >= 0)'), 2_500_000);
  expect(result).toMatchObject({ outcome: 'error', error: 'operation interrupted' });
});

// Source: apiserver pkg/admission/plugin/cel/activation.go; spec rule SEL-65
test('an expression that costs more than is left for its list ends the list', () => {
  expect(resultOf("object.metadata.labels.run == 'no'", standing, 5)).toMatchObject({ outcome: 'value', cost: 5 });
  expect(resultOf("object.metadata.labels.run == 'no'", standing, 4)).toEqual({ outcome: 'out-of-budget' });
});

// Source: recorded conversation r37-vap-index-by-double; apiserver pkg/cel/common/valuesschemalesstyped.go of 1.37
test.each<[expression: string, in137: boolean | string, in136: boolean | string]>([
  ['request.userInfo.groups[dyn(0.0)] == "system:masters"', 'unsupported index type: types.Double', true],
  ['request.userInfo.groups[dyn(0u)] == "system:masters"', 'unsupported index type: types.Uint', true],
  ['request.userInfo.groups[0] == "system:masters"', true, true],
  ['request.userInfo.groups[dyn(9.0)] == ""', 'index out of bounds: 9', 'index out of bounds: 9'],
  [
    'request.userInfo.groups[dyn(0.5)] == ""',
    "unsupported index type 'double' in list",
    "unsupported index type 'double' in list",
  ],
  ['object.metadata.labels[dyn(1)] == ""', 'unsupported map key type: types.Int', 'no such key: 1'],
  ['object.metadata.labels[?dyn(1)].hasValue()', 'unsupported map key type: types.Int', false],
  ['["a"][dyn(0.0)] == "a"', true, true],
])('%s: %s, in 1.36 %s', (expression, in137, in136) => {
  expect(evaluate(expression, typed)).toBe(in137);
  expect(evaluate(expression)).toBe(in136);
});

test('a custom resource is JSON in every release', () => {
  const custom = { ...configMap(), apiVersion: 'example.com/v1', spec: { list: ['a'] } };
  const expression = typed.compile('object.spec.list[dyn(0.0)] == "a"', { stored: true });
  expect(typed.evaluator({ ...alone, object: custom })(expression, 2_500_000)).toMatchObject({ value: true });
});

// Source: apiserver pkg/admission/plugin/cel/compile.go: each expression belongs to an environment of its own
test('the same text in two environments is two expressions', () => {
  expect(standing.compile('params.x', { stored: true }).outcome).toBe('failed');
  expect(standing.compile('params.x', { stored: true, params: true }).outcome).toBe('compiled');
  expect(standing.compile('1', { stored: true }).outcome).toBe('compiled');
  expect(standing.compile('1', { stored: true }, ['bool']).outcome).toBe('failed');
});

// Ours: what coverage counts.
test('branches of evaluated expressions are counted when coverage is on', () => {
  const counting = createExpressions(cel, { countsBranches: true });
  expect(resultOf('request.dryRun || true', counting)).toHaveProperty('branches');
  expect(resultOf('object.metadata.labels.none == "x"', counting)).toHaveProperty('branches');
  expect(resultOf('params.x == 1', counting)).not.toHaveProperty('branches');
  expect(resultOf("object.metadata.labels.run == 'no'", counting, 4)).toEqual({ outcome: 'out-of-budget' });
  expect(resultOf('request.dryRun || true')).not.toHaveProperty('branches');
});
