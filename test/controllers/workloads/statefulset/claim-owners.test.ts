import { expect, test } from 'vitest';
import type { KubernetesObject, OwnerReference } from '../../../../src/machinery/meta/object.ts';
import { updateClaimOwners } from '../../../../src/controllers/workloads/statefulset/set-control.ts';
import { pod } from '../pods.ts';

const set = (whenDeleted: string, whenScaled: string): KubernetesObject => ({
  kind: 'StatefulSet',
  apiVersion: 'apps/v1',
  metadata: { name: 'w', uid: 'set' },
  spec: { replicas: 1, persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } },
});
const claim = (...ownerReferences: readonly OwnerReference[]): KubernetesObject => ({
  kind: 'PersistentVolumeClaim',
  apiVersion: 'v1',
  metadata: { name: 'data-w-0', ownerReferences },
});
const own = (uid: string): OwnerReference => ({
  apiVersion: uid === 'set' ? 'apps/v1' : 'v1',
  kind: uid === 'set' ? 'StatefulSet' : 'Pod',
  name: uid === 'set' ? 'w' : uid,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});
const foreign: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x', controller: true };
const stale = { ...own('set'), uid: 'earlier' };

// Upstream: pkg/controller/statefulset/stateful_set_utils_test.go TestUpdateClaimOwnerRefForSetAndPod.
test.each<readonly [string, string, string, string, readonly OwnerReference[], readonly string[] | undefined]>([
  ['kept in any case', 'Retain', 'Retain', 'w-0', [], undefined],
  ['kept, and once was not', 'Retain', 'Retain', 'w-0', [own('set')], []],
  ['goes with the set', 'Delete', 'Retain', 'w-0', [], ['set']],
  ['goes with the set, and says so', 'Delete', 'Retain', 'w-0', [own('set')], undefined],
  ['its Pod stays', 'Retain', 'Delete', 'w-0', [], undefined],
  ['its Pod is scaled away', 'Retain', 'Delete', 'w-1', [], ['w-1']],
  ['both: the set while its Pod stays', 'Delete', 'Delete', 'w-0', [own('w-0')], ['set']],
  ['both: the Pod when that goes', 'Delete', 'Delete', 'w-1', [own('set')], ['w-1']],
  ['of an earlier set it is not touched', 'Delete', 'Retain', 'w-0', [stale], undefined],
  ['another controller manages it', 'Delete', 'Retain', 'w-0', [foreign], undefined],
  ['another controller manages it now', 'Delete', 'Retain', 'w-0', [foreign, own('set')], ['x']],
])('%s', (...[, whenDeleted, whenScaled, name, owners, wanted]) => {
  const written = updateClaimOwners(claim(...owners), {
    set: set(whenDeleted, whenScaled),
    pod: pod(name, { uid: name }),
  });
  expect(written?.map(({ uid }) => uid)).toEqual(wanted);
});
