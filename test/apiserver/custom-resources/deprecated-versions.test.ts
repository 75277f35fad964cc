import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';
import { definition, definitions, version, widgets } from './widgets.ts';

const world = await createTestWorld();
await world.send('POST', definitions, definition({ versions: [version('v1', { storage: true, deprecated: true })] }));
const acceptedNames = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
await world.send(
  'PATCH',
  `${definitions}/widgets.example.com/status`,
  { status: { acceptedNames, conditions: [{ type: 'NamesAccepted', status: 'True' }] } },
  { contentType: 'application/merge-patch+json' },
);

// Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go ServeHTTP, beside v1.36.2.
test.each<readonly [method: string, path: string, code: number]>([
  ['GET', widgets, 200],
  ['GET', `${widgets}/none`, 404],
  ['GET', `${widgets}/none/scale`, 404],
  ['GET', `${widgets}/none/status`, 404],
  ['GET', `${widgets}/none/zork`, 404],
])('%s %s of a deprecated version is %i, with the warning', async (method, path, code) => {
  const answer = await world.send(method, path);
  expect(answer.code).toBe(code);
  expect(answer.warnings).toEqual(['example.com/v1 Widget is deprecated']);
});
