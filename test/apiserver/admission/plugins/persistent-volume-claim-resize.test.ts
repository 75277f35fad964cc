import { expect, test } from 'vitest';
import { persistentVolumeClaimResize } from '../../../../src/apiserver/admission/plugins/persistent-volume-claim-resize.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const cluster = clusterOf({
  'storageclasses.storage.k8s.io': [
    object('storage.k8s.io/v1', 'StorageClass', 'elastic', { allowVolumeExpansion: true }),
    object('storage.k8s.io/v1', 'StorageClass', 'rigid'),
  ],
});
const claim = (storage: string, storageClassName: string, phase: string): KubernetesObject =>
  object('v1', 'PersistentVolumeClaim', 'v', {
    spec: { resources: { requests: { storage } }, storageClassName },
    status: { phase },
  });
const refusal = (text: string): string => `persistentvolumeclaims "v" is forbidden: ${text}`;
const rigid = refusal(
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
);

// Source: kubernetes plugin/pkg/admission/storage/persistentvolume/resize/admission_test.go and the recorded
// conversation plugins-pvc-resize
const facts: readonly [
  fact: string,
  storageClass: string,
  sizes: readonly [old: string, next: string],
  phase: string,
  message: string | undefined,
][] = [
  ['a bound claim of an elastic class grows', 'elastic', ['1Gi', '2Gi'], 'Bound', undefined],
  ['a claim of another class does not', 'rigid', ['1Gi', '2Gi'], 'Bound', rigid],
  ['nor one of a class that is missing', 'none', ['1Gi', '2Gi'], 'Bound', rigid],
  [
    'nor one that is not bound',
    'elastic',
    ['1Gi', '2Gi'],
    'Pending',
    refusal('Only bound persistent volume claims can be expanded'),
  ],
  ['the same size in other words is no growth', 'rigid', ['1Gi', '1024Mi'], 'Bound', undefined],
];
test.each(facts)('%s', (_fact, ...[storageClass, [old, next], phase, message]) => {
  const request = creating(claim(next, storageClass, phase), 'persistentvolumeclaims', {
    operation: 'UPDATE',
    oldObject: claim(old, storageClass, phase),
  });
  expect(outcomeOf(persistentVolumeClaimResize, 'validate', { request, cluster, path: ['none'] })).toBe(message);
});
