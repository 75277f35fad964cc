import { expect, test } from 'vitest';
import { adminUser } from '../../harness/world.ts';
import { things, worldOfAnything } from './established.ts';

const as = adminUser;
const thing = (name: string) => ({ apiVersion: 'turns.dev/v1', kind: 'Thing', metadata: { name } });
const world = await worldOfAnything();
await world.send('POST', things, thing('a'), { as });

// Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go ServeHTTP.
test('while its definition goes nothing is created, and what is there may be changed', async () => {
  const conditions = ['NamesAccepted', 'Established', 'Terminating'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: null,
  }));
  const status = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.turns.dev/status';
  await world.send('PATCH', status, { status: { conditions } }, { as });
  const made = await world.send('POST', things, thing('b'), { as });
  expect([made.code, made.message]).toEqual([
    403,
    'things.turns.dev "b" is forbidden: create not allowed while custom resource definition is terminating',
  ]);
  const contentType = 'application/merge-patch+json';
  expect((await world.send('PATCH', `${things}/a`, { more: 1 }, { as, contentType })).code).toBe(200);
  expect((await world.send('GET', things, undefined, { as })).code).toBe(200);
});
