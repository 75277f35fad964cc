import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { compileRule, evaluate, ruleScope, ruleVariables } from '../../../src/cel/index.ts';

const text: JsonObject = { type: 'string' };
const whole: JsonObject = { type: 'integer' };
const pair: JsonObject = { type: 'object', properties: { k: text, v: whole }, required: ['k'] };

const schema: JsonObject = {
  type: 'object',
  properties: {
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    dates: { type: 'array', items: { ...text, format: 'date' }, 'x-kubernetes-list-type': 'set' },
    pairs: { type: 'array', items: pair, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    plain: { type: 'array', items: pair },
    objects: { type: 'array', items: pair, 'x-kubernetes-list-type': 'set' },
    byName: { type: 'object', additionalProperties: { ...text, format: 'duration' } },
    'a.b/c-d': whole,
    x__y: whole,
    while: whole,
    date: { ...text, format: 'date' },
    long: { ...text, format: 'duration' },
    either: { 'x-kubernetes-int-or-string': true },
    missing: { ...text, nullable: true },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    bare: { type: 'object' },
    open: { type: 'object', additionalProperties: true },
    constructor: whole,
  },
};

const given: JsonValue = {
  set: ['a', 'b'],
  dates: ['2024-05-01'],
  objects: [{ v: 1 }],
  pairs: [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ],
  plain: [{ k: 'a', v: 1 }],
  byName: { short: '1s', 'a-b': '2m' },
  bare: {},
  open: { a: 1 },
  'a.b/c-d': 1,
  x__y: 2,
  while: 3,
  date: '2024-05-01',
  long: '2 days',
  either: 5,
  missing: null,
  free: { a: 1 },
  constructor: 4,
  unknown: true,
};

function resultOf(expression: string, self: JsonValue = given): unknown {
  const scope = ruleScope(schema, true);
  const compilation = scope && compileRule(scope, expression, { stored: true });
  if (scope === undefined || compilation?.outcome !== 'compiled') return compilation;
  const variables = ruleVariables({ scope, path: '', self, oldSelf: undefined })(false);
  const evaluation = evaluate(compilation.rule.compiled, variables);
  return evaluation.outcome === 'value' ? evaluation.value : evaluation.error;
}

// Source: apiserver pkg/cel/common/values.go and pkg/cel/escaping.go.
test.each<[expression: string, expected: boolean | string]>([
  ["self.set + ['b', 'c'] == ['c', 'b', 'a']", true],
  ["(self.set + ['b', 'c']).size() == 3", true],
  ["['b', 'a'] == self.set", false],
  ["self.set == ['a', 'a']", false],
  ["['a', 'a'] == self.set", false],
  ["(self.set + ['c']) == ['c', 'b', 'a']", true],
  ["(self.set + ['c', 'c']).size() == 3", true],
  ['self.objects == self.objects', 'listSet operations are only supported on lists of scalar values'],
  ['self.objects + self.objects == []', 'listSet operations are only supported on lists of scalar values'],
  ["self.set == ['a']", false],
  ["'b' in self.set && self.set.exists(x, x == 'a')", true],
  ['self.dates == [self.date]', true],
  ['self.dates[0] == self.date', true],
  ['self.pairs == [self.pairs[1], self.pairs[0]]', true],
  ['self.pairs == [self.pairs[1], self.pairs[1]]', false],
  ['self.plain + self.plain == [self.plain[0], self.plain[0]]', true],
  ['(self.pairs + [self.pairs[1], self.pairs[0]]).map(p, p.k) == ["a", "b"]', true],
  ['self.pairs[0] == self.pairs[0] && self.pairs[0] != self.pairs[1]', true],
  ["self.byName['a-b'] == duration('2m') && 'short' in self.byName", true],
  ["self.byName.all(k, self.byName[k] > duration('0s')) && size(self.byName) == 2", true],
  ['self.a__dot__b__slash__c__dash__d == 1 && self.x__underscores__y == 2 && self.__while__ == 3', true],
  ["self.long == duration('48h')", true],
  ["self.date == timestamp('2024-05-01T00:00:00Z')", true],
  ["type(self.either) == int && self.either == 5 && self.either != 'x'", true],
  ["self.either > 'x'", 'no such overload'],
  ['has(self.missing)', false],
  ["self.missing == ''", 'no such key: missing'],
  ['has(self.metadata)', false],
  ["self.metadata.name == ''", 'no such key: metadata'],
  ['self.constructor == 4', true],
  ['type(self.free) == map', true],
  // Source: apiserver pkg/cel/common/valuesunstructured.go UnstructuredToVal.
  ['has(self.bare) && type(self.bare) == map', true],
  ['has(self.open) && self.open == self.open', true],
])('%s is %s', (expression, expected) => {
  expect(resultOf(expression)).toBe(expected);
});

// The elements of one list are not looked for in the other one by one: that would take minutes.
test('long lists of maps are merged by their keys', () => {
  const pairs = Array.from({ length: 20_000 }, (_none, at) => ({ k: `k${at}`, v: at }));
  expect(resultOf('(self.pairs + self.pairs).size() == 20000', { pairs })).toBe(true);
});

test.each([
  ['self.unknown', "undefined field 'unknown'"],
  ['self.free.a == 1', "undefined field 'a'"],
  ['self.metadata.labels == {}', "undefined field 'labels'"],
  ['self.toString == 1', "undefined field 'toString'"],
  // Source: cel-go checker/checker.go lookupFieldType; seen of the Authorizer on a real kube-apiserver 1.36.2.
  ['url("https://x.y").host == "x"', "unexpected failed resolution of 'kubernetes.URL'"],
])('%s is refused: %s', (expression, complaint) => {
  expect(resultOf(expression)).toMatchObject({ outcome: 'failed', error: expect.stringContaining(complaint) });
});
