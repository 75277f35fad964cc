import { expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import {
  namespaceAutoProvision,
  namespaceExists,
} from '../../../../src/apiserver/admission/plugins/namespace-plugins.ts';
import { ok, refuse } from '../../../../src/machinery/meta/result.ts';
import { alreadyExists, plainError, type Status } from '../../../../src/machinery/meta/status.ts';
import { clusterOf, creatingPod, object, outcomeOf, portsOf, refusalOf } from '../../../harness/builtin-plugin.ts';

const stored = { namespaces: [object('v1', 'Namespace', 'ns')] };
const pod = (fields: Partial<AdmissionAttributes> = {}): AdmissionAttributes => creatingPod({}, fields);
const namespaceKind = { group: '', version: 'v1', kind: 'Namespace' };

// Source: kubernetes plugin/pkg/admission/namespace/{exists,autoprovision}/admission_test.go
test.each<[fact: string, request: AdmissionAttributes, isMissing: boolean]>([
  ['an object in a namespace that exists', pod(), false],
  ['a cluster-scoped object', pod({ namespace: '' }), false],
  ['an object in another namespace', pod({ namespace: 'other' }), true],
  ['the namespace itself', pod({ namespace: 'other', kind: namespaceKind }), false],
  ["another group's Namespace", pod({ namespace: 'other', kind: { ...namespaceKind, group: 'x' } }), true],
  ['another kind of the core group', pod({ namespace: 'other', kind: { ...namespaceKind, kind: 'Node' } }), true],
])('NamespaceExists and NamespaceAutoProvision: %s', async (_fact, request, isMissing) => {
  const cluster = clusterOf(stored);
  const missing = `namespaces "${request.namespace}" not found`;
  expect(outcomeOf(namespaceExists, 'validate', { request, cluster, path: ['kind'] })).toBe(
    isMissing ? missing : 'Pod',
  );
  const created: unknown[] = [];
  await namespaceAutoProvision.mutate?.(request, {
    ...portsOf(cluster),
    api: async ({ method, path, body }) => {
      created.push([method, path, body]);
      return ok({});
    },
  });
  const body = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: request.namespace } };
  expect(created).toEqual(isMissing ? [['POST', '/api/v1/namespaces', body]] : []);
});

test.each<[fact: string, status: Status | undefined, dryRun: boolean, refusal: string | undefined]>([
  ['it is created', undefined, false, undefined],
  ['another request creates it', alreadyExists({ group: '', resource: 'namespaces' }, 'other'), false, undefined],
  ['it cannot be created', plainError('no'), false, 'pods "p" is forbidden: no'],
  ['a dry run creates nothing', plainError('no'), true, undefined],
])('NamespaceAutoProvision, for a Pod in a missing namespace: %s', async (_fact, status, dryRun, refusal) => {
  const ports = { ...portsOf(clusterOf(stored)), api: async () => (status ? refuse(status) : ok({})) };
  const answer = await namespaceAutoProvision.mutate?.(pod({ namespace: 'other', dryRun }), ports);
  expect(refusalOf(answer)?.message).toBe(refusal);
});
