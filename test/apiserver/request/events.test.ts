import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

const core = '/api/v1/namespaces/default/events';
const own = '/apis/events.k8s.io/v1/namespaces/default/events';

// Source: kubernetes pkg/registry/core/event/strategy.go, which asks for the version of the request's path;
// pkg/apis/core/validation/events.go ValidateEventCreate, ValidateEventUpdate.
test('an Event is held to more over its own group than over the core group', async () => {
  const world = await createTestWorld();
  const involved = { kind: 'Pod', namespace: 'default', name: 'p' };
  const old = await world.send('POST', core, { metadata: { name: 'a' }, involvedObject: involved, reason: 'Old' });
  expect(`${old.code} ${old.message}`).toBe('201 ');
  const fresh = await world.send('POST', own, { metadata: { name: 'b' }, regarding: involved, reason: 'New' });
  expect(fresh.code).toBe(422);
  expect(fresh.message).toContain('eventTime: Required value');
  expect(fresh.message).toContain('type: Invalid value: "": has invalid value: ');
  const change = { reason: 'Other' };
  const there = await world.send('PATCH', `${own}/a`, change);
  expect(there.code).toBe(422);
  expect(there.message).toContain('reason: Invalid value: "Other": field is immutable');
  expect((await world.send('PATCH', `${core}/a`, change)).code).toBe(200);
});
