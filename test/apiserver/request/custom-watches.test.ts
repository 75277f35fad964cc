import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { definition, definitions, version, widgets } from '../custom-resources/widgets.ts';
import { createTestWorld } from '../../harness/world.ts';

const merge = { contentType: 'application/merge-patch+json' };
const path = `${definitions}/widgets.example.com`;

// Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go; change_test.go of its test/integration.
test.each<[change: string, patch: JsonObject, isOver: boolean]>([
  ['a version more', { spec: { versions: [version('v1', { storage: true }), version('v2')] } }, true],
  ['a label', { metadata: { labels: { a: 'b' } } }, false],
])('a watch while its definition gets %s', async (_change, patch, isOver) => {
  const { send } = await createTestWorld();
  await send('POST', definitions, definition());
  const acceptedNames = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const conditions = [{ type: 'NamesAccepted', status: 'True' }];
  await send('PATCH', `${path}/status`, { status: { acceptedNames, conditions } }, merge);
  const { watch } = await send('GET', `${widgets}?watch=1`);
  let ended = false;
  const stop = watch?.(
    () => {},
    () => (ended = true),
  );
  await send('PATCH', path, patch, merge);
  expect({ isOpen: stop !== undefined, ended }).toEqual({ isOpen: true, ended: isOver });
  stop?.();
});
