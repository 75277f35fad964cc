import { expect, test } from 'vitest';
import { adminUser, createTestWorld } from '../../harness/world.ts';

// Source: kube-apiserver v1.36.2, asked beside it: a group's router answers for its versions alone.
test.each<readonly [path: string, reason: string]>([
  ['/api/v2', 'NotFound'],
  ['/apis/apps/v9', 'NotFound'],
  ['/apis/apps/v9/deployments', 'NotFound'],
  ['/api/v2/pods', 'NotFound'],
  ['/apis/nope', 'a page'],
  ['/apis/nope/v1', 'a page'],
  ['/nope', 'a page'],
  ['/apis/nope/v1/things', 'a page'],
])('%s: %s', async (path, reason) => {
  const world = await createTestWorld({ authorizationMode: 'AlwaysAllow' });
  const { code, body } = await world.send('GET', path, undefined, { as: adminUser });
  expect(code).toBe(404);
  const found = typeof body === 'object' && body !== null && 'reason' in body ? body['reason'] : 'a page';
  expect(found).toBe(reason);
});
