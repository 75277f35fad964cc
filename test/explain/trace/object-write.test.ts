import { expect, test } from 'vitest';
import { createTraceLog } from '../../../src/adapters/traces/trace-log.ts';
import { isWriteOrConnection } from '../../../src/explain/trace/trace-summary.ts';
import { branchText } from '../../../src/explain/trace/expression-coverage.ts';
import { createTestWorld } from '../../harness/world.ts';

test.each([
  ['create', 'pods', true],
  ['deletecollection', 'deployments.apps', true],
  ['patch', 'pods/status', true],
  ['create', 'pods/eviction', true],
  ['get', 'pods/exec', true],
  ['get', 'widgets.example.com', false],
  ['list', 'widgets.example.com', false],
  ['create', 'pods/binding', false],
  ['create', 'bindings', false],
  ['create', 'selfsubjectaccessreviews.authorization.k8s.io', false],
  ['create', 'localsubjectaccessreviews.authorization.k8s.io', false],
  ['create', 'tokenreviews.authentication.k8s.io', false],
  ['create', 'serviceaccounts/token', false],
  ['create', 'clusterrolebindings.rbac.authorization.k8s.io', true],
])('%s of %s may be the last write: %s', (verb, resource, expected) => {
  expect(isWriteOrConnection({ verb, resource })).toBe(expected);
});

test('the last trace is that of a write, not of the review after it', async () => {
  const world = await createTestWorld();
  await world.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'm' } });
  const review = { spec: { resourceAttributes: { verb: 'create', resource: 'pods' } } };
  await world.send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review);
  const log = createTraceLog();
  for (const one of world.finished) {
    const { as: _as, ...request } = one.request;
    log.record({ ...one, request }, 0);
  }
  expect(log.list(2)).toHaveLength(2);
  expect(log.last()?.request.resource).toBe('configmaps');
});

const part = { role: 'result', expression: 'true', true: 1, false: 0, error: 0 } as const;

test.each([
  ['nothing was evaluated', [], 'no condition, variable or validation was evaluated: there are no branches'],
  ['evaluated and not counted', [{ evaluated: 1, parts: [] }], 'branches are counted with --coverage'],
  ['counted', [{ evaluated: 1, parts: [part] }], '1 of 2 branches taken'],
])('branches of a policy: %s', (_fact, expressions, words) => {
  expect(branchText(expressions)).toBe(words);
});
