import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/apimachinery/json.ts';
import { definitionAhead } from '../../../src/crd/definition/validate-definition.ts';

const names = Array.from({ length: 1_000 }, (_none, at) => `n${at}`);

const definitionOf = (spec: JsonObject, status: JsonObject = {}): JsonObject => ({
  metadata: { name: 'longs.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'longs', kind: 'Long' }, versions: [], ...spec },
  status,
});

const webhook = { conversionReviewVersions: names, clientConfig: { url: 'https://example.com' } };

const rows = [
  ['short names', definitionOf({ names: { plural: 'longs', kind: 'Long', shortNames: names } })],
  ['categories', definitionOf({ names: { plural: 'longs', kind: 'Long', categories: names } })],
  ['names that were accepted', definitionOf({}, { acceptedNames: { shortNames: names } })],
  ['versions of reviews', definitionOf({ conversion: { strategy: 'Webhook', webhook } })],
] as const;

/** Each look at this clock takes 20 ms. */
function turnsOf(definition: JsonObject): number {
  let time = 0;
  const steps = definitionAhead(definition);
  let turns = 0;
  for (; steps.next(() => (time += 20)).done !== true; turns += 1);
  return turns;
}

test.each(rows)('others are let in while a thousand %s are judged', (_what, definition) => {
  expect(turnsOf(definition)).toBeGreaterThan(turnsOf(definitionOf({})) + 100);
});
