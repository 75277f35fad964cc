import { expect, test } from 'vitest';
import { compileRule, evaluateRules, evaluateRulesInSteps, ruleScope } from '../../../src/cel/index.ts';
import { inManyTurns } from '../../harness/turns.ts';

// What a schema makes of a large resource is made in turns, and is the same then.

const items = {
  type: 'object',
  properties: { name: { type: 'string' }, wait: { type: 'string', format: 'duration' } },
};
const schema = {
  type: 'object',
  properties: {
    list: { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    moments: { type: 'array', items: { type: 'string', format: 'duration' } },
    byName: { type: 'object', additionalProperties: { type: 'string', format: 'duration' } },
    short: { type: 'string', format: 'duration' },
    long: { type: 'string', format: 'duration' },
  },
};

const many = <T>(make: (at: number) => T): readonly T[] => Array.from({ length: 2_000 }, (_none, at) => make(at));
const self = {
  list: many((at) => ({ name: `n${at}`, wait: `${at}s` })),
  set: many((at) => `n${at}`),
  moments: many((at) => `${at}s`),
  byName: Object.fromEntries(many((at) => [`n${at}`, `${at}s`])),
  short: '1s',
  long: '1h'.repeat(2_500),
};
const oldSelf = { ...self, list: self.list.toReversed(), set: self.set.toReversed() };

const facts: readonly [rule: string, holds: boolean][] = [
  ['self.list == oldSelf.list && self.set == oldSelf.set', true],
  ['self.list + oldSelf.list == self.list', true],
  ['self == oldSelf', true],
  ['self.list.all(x, x.wait >= duration("0s")) && self.list[7].wait == duration("7s")', true],
  ['self.moments == self.list.map(x, x.wait)', true],
  ['self.byName == self.list.transformMapEntry(i, x, {x.name: x.wait})', true],
  ['self.short < self.long && self.short == duration("1s") && self.long == duration("2500h")', true],
  ['self.long < self.short || self.byName["n3"] != duration("3s")', false],
];

test.each(facts)('%s', (text, holds) => {
  const scope = ruleScope(schema, true);
  if (scope === undefined) throw new Error('the schema has no type');
  const compilation = compileRule(scope, text, { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  const rules = [{ rule: compilation.rule, text }];
  const subject = { scope, path: '', self, oldSelf };
  const atOnce = evaluateRules(rules, subject, 10_000_000);
  const { turns, value } = inManyTurns(evaluateRulesInSteps(rules, subject, 10_000_000));
  expect(value).toEqual(atOnce);
  expect(atOnce.errors.length).toBe(holds ? 0 : 1);
  expect(turns).toBeGreaterThan(3);
});
