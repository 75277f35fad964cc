import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

// Source: apiserver pkg/endpoints/installer.go: across namespaces there are a list and a watch, and single objects nowhere.
test.each([
  ['GET', '/api/v1/configmaps', 200],
  ['GET', '/api/v1/configmaps?watch=1', 200],
  ['GET', '/api/v1/configmaps/a', 404],
  ['PUT', '/api/v1/configmaps/a', 404],
  ['DELETE', '/api/v1/configmaps/a', 404],
  ['PUT', '/api/v1/configmaps/a/status', 404],
  ['POST', '/api/v1/configmaps', 405],
  ['DELETE', '/api/v1/configmaps', 405],
  ['GET', '/api/v1/namespaces/default/configmaps/a', 200],
  ['GET', '/api/v1/namespaces/default/nodes', 404],
  ['POST', '/api/v1/namespaces/default/nodes', 404],
])('%s %s: %i', async (method, path, code) => {
  const world = await createTestWorld();
  const configMap = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } };
  await world.send('POST', '/api/v1/namespaces/default/configmaps', configMap);
  expect((await world.send(method, path, method.startsWith('P') ? configMap : undefined)).code).toBe(code);
});
