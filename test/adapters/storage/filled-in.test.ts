import { expect, test } from 'vitest';
import { withPhase } from '../../../src/adapters/storage/etcd/layout.ts';

const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'a' } };

// Source: kube-apiserver v1.36.2 and what it stored with --storage-media-type=application/json; SetDefaults_* in
// pkg/apis/core/v1/defaults.go.
test.each([
  ['a claim as it is stored', { ...claim, status: {} }, { ...claim, status: { phase: 'Pending' } }],
  ['a claim without status', claim, { ...claim, status: { phase: 'Pending' } }],
  [
    'a claim that is bound',
    { ...claim, status: { phase: 'Bound', capacity: { storage: '1Gi' } } },
    { ...claim, status: { phase: 'Bound', capacity: { storage: '1Gi' } } },
  ],
  [
    'a volume',
    { ...claim, kind: 'PersistentVolume' },
    { ...claim, kind: 'PersistentVolume', status: { phase: 'Pending' } },
  ],
  ['a namespace', { ...claim, kind: 'Namespace' }, { ...claim, kind: 'Namespace', status: { phase: 'Active' } }],
  ['a Pod', { ...claim, kind: 'Pod', status: {} }, { ...claim, kind: 'Pod', status: {} }],
  [
    'a claim of another group',
    { ...claim, apiVersion: 'example.com/v1', status: {} },
    { ...claim, apiVersion: 'example.com/v1', status: {} },
  ],
])('%s', (_what, stored, shown) => {
  expect(withPhase(stored)).toEqual(shown);
});
