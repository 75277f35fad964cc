import { expect, test } from 'vitest';
import { validateStructural } from '../../../../src/api/crd/definition/validate-structural.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { fieldErrorText } from '../../../../src/machinery/meta/field-error.ts';

const integer = { type: 'integer' };
const string = { type: 'string' };
const closed = { additionalProperties: false };

// Source: apiextensions-apiserver v0.37.2 pkg/apiserver/schema/convert.go newNestedValueValidation, validation.go isIntOrStringAnyOfPattern.
test.each<[fact: string, schema: JsonObject, errors: readonly string[]]>([
  ['the pattern', { anyOf: [integer, string] }, []],
  [
    'branches that allow no other properties',
    {
      anyOf: [
        { ...integer, ...closed },
        { ...string, ...closed },
      ],
    },
    [],
  ],
  ['the pattern in the first allOf', { allOf: [{ anyOf: [{ ...integer, ...closed }, string] }] }, []],
  [
    'a branch that allows other properties',
    { anyOf: [{ ...integer, additionalProperties: true }, string] },
    [
      's.properties[a].anyOf[0].additionalProperties: Forbidden: must be undefined to be structural',
      's.properties[a].anyOf[0].type: Forbidden: must be empty to be structural',
      's.properties[a].anyOf[1].type: Forbidden: must be empty to be structural',
    ],
  ],
])('an int-or-string with %s', (_fact, branches, errors) => {
  const field = { 'x-kubernetes-int-or-string': true, ...branches };
  const found = validateStructural({ type: 'object', properties: { a: field } }, 's');
  expect(found.map(fieldErrorText)).toEqual(errors);
});
