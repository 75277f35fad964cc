import { expect, test } from 'vitest';
import { fieldErrorText } from '../../src/apimachinery/field-error.ts';
import { asList, asObject, valueAt, withValue } from '../../src/apimachinery/json.ts';
import type { JsonObject } from '../../src/apimachinery/json.ts';
import { definitionAhead, validateDefinition, validateDefinitionUpdate } from '../../src/crd/engine.ts';
import { widgets } from './custom-object.ts';

const rule = (text: string, more: JsonObject = {}): JsonObject => ({ rule: text, ...more });
const spec = (...rules: readonly JsonObject[]): JsonObject => ({
  type: 'object',
  properties: {
    a: { type: 'integer', default: 1, 'x-kubernetes-validations': [rule('self > 0')] },
    b: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 9, 'x-kubernetes-validations': rules } },
  },
});

const stepsOf = (definition: JsonObject, old?: JsonObject): number => [...definitionAhead(definition, old)].length;

test('at least a step for each rule and for the rules of a default', () => {
  const without = stepsOf(widgets(spec()));
  const one = stepsOf(widgets(spec(rule('self != ""'))));
  expect(one - without).toBe(1);
  expect(stepsOf(widgets(spec(rule('self != ""'), rule('true')))) - one).toBe(1);
});

const many = <T>(make: (index: number) => T): readonly T[] => Array.from({ length: 1000 }, (_, index) => make(index));
const fields = (of: JsonObject): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(many((index) => [`f${index}`, of])),
});
const withVersion = (more: JsonObject): JsonObject => {
  const definition = widgets({ type: 'object', properties: { spec: fields({ type: 'string' }) } });
  const [version] = asList(valueAt(definition, 'spec', 'versions'));
  return withValue(definition, ['spec', 'versions'], [{ ...asObject(version), ...more }]);
};
const schema = { openAPIV3Schema: { type: 'object' } };

// Nothing of which there may be thousands is judged in one go: the loop would be held for as long.
test.each<[what: string, definition: JsonObject]>([
  ['fields', widgets(fields({ type: 'string' }))],
  ['fields of an unknown type', widgets(fields({ type: 'strung' }))],
  ['defaults', widgets(fields({ type: 'string', default: 'a' }))],
  ['branches', widgets({ type: 'object', anyOf: many((index) => ({ minProperties: index })) })],
  ['fields in a branch', widgets({ ...fields({ type: 'string' }), not: { ...fields({ minLength: 1 }), type: '' } })],
  ['columns', withVersion({ additionalPrinterColumns: many(() => ({ name: 'a', type: 'string', jsonPath: '.a' })) })],
  ['stored versions', { ...widgets({ type: 'object' }), status: { storedVersions: many((index) => `v${index}`) } }],
  ['selectable fields', withVersion({ selectableFields: many((index) => ({ jsonPath: `.spec.f${index}` })) })],
])('a thousand %s are a thousand steps and more, when they come and when they change', (_what, definition) => {
  expect(stepsOf(definition)).toBeGreaterThan(1000);
  expect(stepsOf(definition, widgets({ type: 'object' }))).toBeGreaterThan(1000);
});

const versions = (count: number): JsonObject => ({
  ...withValue(
    widgets({}),
    ['spec', 'versions'],
    many((at) => ({ name: `v${at}`, storage: at === 0, schema })).slice(0, count),
  ),
  status: { storedVersions: ['v0'] },
});

// The bound is ours.
test('five hundred versions are as many steps, and one more is refused', () => {
  expect(stepsOf(versions(500))).toBeGreaterThan(500);
  expect(validateDefinition(versions(500))).toEqual([]);
  expect(validateDefinition(versions(501)).map(fieldErrorText)).toEqual([
    'spec.versions: Too many: 501: must have at most 500 items',
  ]);
});

test('what an update may leave as it was is looked for in steps', () => {
  const none = stepsOf(widgets({ type: 'object' }), widgets({ type: 'object' }));
  expect(stepsOf(widgets({ type: 'object' }), widgets(fields({ type: 'string' }))) - none).toBeGreaterThan(50);
});

// The work that was done ahead must not change what is said.
test.each<[what: string, rules: readonly JsonObject[]]>([
  ['sound', [rule('self != ""')]],
  ['broken', [rule('self !=')]],
  ['no boolean', [rule('self')]],
  ['a message that is no text', [rule('true', { messageExpression: '1' })]],
  ['blank', [rule(' ')]],
  ['oldSelf where there is none', [rule('self == oldSelf')]],
  ['two of them', [rule('self != "x"'), rule('unknown(self)')]],
])('rules that are %s are told alike with and without', (_what, rules) => {
  const before = widgets(spec(...rules));
  const said = validateDefinition(widgets(spec(...rules))).map(fieldErrorText);
  const updated = validateDefinitionUpdate(widgets(spec(...rules)), widgets(spec())).map(fieldErrorText);
  stepsOf(before);
  expect(validateDefinition(before).map(fieldErrorText)).toEqual(said);
  const after = widgets(spec(...rules));
  stepsOf(after, widgets(spec()));
  expect(validateDefinitionUpdate(after, widgets(spec())).map(fieldErrorText)).toEqual(updated);
});
