import { expect, test } from 'vitest';
import { relatedRequests } from '../../../src/explain/render/causality.ts';
import type { NumberedSummary } from '../../../src/explain/trace/trace-summary.ts';

const controller = (name: string): string => `system:serviceaccount:kube-system:${name}`;

/** `verb resource name`, who wrote it, and the owners that the object names; they come in this order. */
const requests = (
  ...rows: readonly (readonly [
    what: string,
    user: string,
    owner?: string | undefined,
    more?: Partial<NumberedSummary>,
  ])[]
): readonly NumberedSummary[] =>
  rows
    .map(([what, user, owner, more], at): NumberedSummary => {
      const [verb = '', resource = '', name = ''] = what.split(' ');
      const webhooks = { called: [], denied: [], failed: [], skipped: [] };
      const place = { verb, resource, name, namespace: 'default', path: '', user };
      const outcome = { verdict: 'admitted' as const, code: 201, message: '', dryRun: false, webhooks };
      const owners = owner === undefined ? [] : [owner];
      return { id: what, sequence: at, startedAt: at, milliseconds: 1, ...place, ...outcome, owners, ...more };
    })
    .toReversed();

const rollout = requests(
  ['create deployments.apps web', 'ada'],
  ['create replicasets.apps web-1', controller('deployment-controller'), 'Deployment/web'],
  ['update deployments.apps/status web', controller('deployment-controller')],
  ['create pods web-1-a', controller('replicaset-controller'), 'ReplicaSet/web-1'],
  ['create pods ', controller('replicaset-controller'), 'ReplicaSet/web-1', { verdict: 'refused' }],
  ['patch pods web-1-a', 'ada', 'ReplicaSet/web-1', { id: 'by hand' }],
  ['patch deployments.apps/scale web', 'ada'],
  ['update replicasets.apps web-1', controller('deployment-controller'), 'Deployment/web'],
  ['delete pods web-1-a', controller('replicaset-controller'), 'ReplicaSet/web-1'],
);

const ids = (list: readonly NumberedSummary[]): readonly string[] => list.map(({ id }) => id);

test.each<readonly [id: string, causes: readonly string[]]>([
  ['create pods web-1-a', ['create replicasets.apps web-1', 'create deployments.apps web']],
  ['create pods ', ['create replicasets.apps web-1', 'create deployments.apps web']],
  ['delete pods web-1-a', ['update replicasets.apps web-1', 'patch deployments.apps/scale web']],
  ['by hand', []],
  ['create deployments.apps web', []],
  ['unknown', []],
])('the causes of %j', (id, causes) => {
  expect(ids(relatedRequests(id, rollout).causes)).toEqual(causes);
});

test('effects with their distance', () => {
  const related = (id: string): readonly string[] =>
    relatedRequests(id, rollout).effects.map(({ request, depth }) => `${depth} ${request.id}`);
  expect(related('create deployments.apps web')).toEqual([
    '1 create replicasets.apps web-1',
    '2 create pods web-1-a',
    '2 create pods ',
  ]);
  expect(related('patch deployments.apps/scale web')).toEqual([
    '1 update replicasets.apps web-1',
    '2 delete pods web-1-a',
  ]);
  expect(related('by hand')).toEqual([]);
});

test('a refused write and a dry run have no effects', () => {
  const all = requests(
    ['create deployments.apps web', 'ada', undefined, { verdict: 'refused' }],
    ['patch deployments.apps web', 'ada', undefined, { dryRun: true }],
    ['create replicasets.apps web-1', controller('deployment-controller'), 'Deployment/web'],
  );
  expect(relatedRequests('create replicasets.apps web-1', all).causes).toEqual([]);
});
