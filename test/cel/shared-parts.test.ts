import { expect, test } from 'vitest';
import { compileCondition, toApplyConfiguration, explainValues, toJsonPatchOperations } from '../../src/cel/index.ts';
import type { JsonValue } from '../../src/machinery/json/json.ts';

/** A list that holds one list twice, which does so too: 2^40 texts in 41 lists. */
const vast = Array.from({ length: 40 }).reduce<JsonValue>((inner) => [inner, inner], 'a');

test('the value of a mutation has a size limit', () => {
  const error = 'the value of the expression has more than 100000 values inside';
  expect(toApplyConfiguration(vast)).toEqual({ outcome: 'error', error });
  expect(toJsonPatchOperations([vast])).toEqual({ outcome: 'error', error });
});

test('of a value that is shown no more is written than is shown', () => {
  const compilation = compileCondition('object == 1', { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  const [part] = explainValues(compilation.compiled, (name) => (name === 'object' ? vast : undefined));
  expect(part?.value.replaceAll(/[[\]", ]/g, '')).toMatch(/^a{24}…$/);
  expect(part?.value).toHaveLength(201);
});
