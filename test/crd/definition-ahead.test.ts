import { expect, test } from 'vitest';
import { fieldErrorText } from '../../src/apimachinery/field-error.ts';
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
  const none = stepsOf(widgets({ type: 'object' }));
  expect(stepsOf(widgets(spec(rule('self != ""'), rule('true')))) - none).toBe(4);
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
