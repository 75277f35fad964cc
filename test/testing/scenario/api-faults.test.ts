import { expect, test } from 'vitest';
import type { ApiFault } from '../../../src/testing/stubs/api-fault.ts';
import { failuresOf, manifest, play, step } from '../../harness/scenario.ts';

const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default' } };
const loaded = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'loaded', namespace: 'default' } };

const busyOnce: ApiFault = { what: { type: 'too-many-requests' }, resources: ['configmaps'], calls: [1] };
const fasterOnce: ApiFault = { what: { type: 'conflict' }, verbs: ['update'], calls: [1] };

// Issue 5, part 3: 409 and 429 on the API side, for steps but not for what is loaded before them.
test('the API refuses the configured request, and accepts the next one', async () => {
  const modified =
    'Operation cannot be fulfilled on configmaps "settings": the object has been modified; please apply your changes to the latest version and try again';
  const outcome = await play({
    apiFaults: [busyOnce, fasterOnce],
    load: [manifest(loaded)],
    steps: [
      step({ type: 'create', object: settings }, { code: 429, reason: 'TooManyRequests' }),
      step({ type: 'create', object: settings }, { outcome: 'admitted' }),
      step({ type: 'update', object: settings }, { code: 409, reason: 'Conflict', message: { exact: modified } }),
      step({ type: 'update', object: settings }, { outcome: 'admitted' }),
    ],
  });
  expect([failuresOf(outcome), outcome.outcome]).toEqual([[], 'passed']);
});

test('on another server they cannot happen', async () => {
  const outcome = await play({ apiFaults: [busyOnce] }, { on: 'target' });
  expect(outcome.problem?.message).toBe(
    'its apiFaults cannot happen on another server: leave this scenario out with --filter',
  );
});
