import { expect, test } from 'vitest';
import { loadRelease } from '../../../../src/api/release/load-release.ts';
import {
  namespaceLifecycle,
  namespaceAutoProvision,
  namespaceExists,
} from '../../../../src/apiserver/admission/plugins/namespace-plugins.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import {
  clusterOf,
  creating,
  object,
  outcomeOf,
  portsOf,
  refusalOf,
  creatingPod,
} from '../../../harness/builtin-plugin.ts';
import { ok, refuse } from '../../../../src/machinery/meta/result.ts';
import { alreadyExists, plainError, type Status } from '../../../../src/machinery/meta/status.ts';

const cluster = clusterOf({
  namespaces: [
    object('v1', 'Namespace', 'ns', { status: { phase: 'Active' } }),
    object('v1', 'Namespace', 'going', { status: { phase: 'Terminating' } }),
  ],
});
const configMap = object('v1', 'ConfigMap', 'two');
const inNamespace = (namespace: string, fields: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  creating(configMap, 'configmaps', { namespace, ...fields });
const ofNamespace = (name: string, operation: 'CREATE' | 'DELETE'): AdmissionAttributes =>
  creating(object('v1', 'Namespace', name), 'namespaces', { namespace: name, operation });
const review = object('authorization.k8s.io/v1', 'LocalSubjectAccessReview', '');

// Source: apiserver pkg/admission/plugin/namespace/lifecycle/admission_test.go and the recorded conversations
// crud-namespace-delete and selectors-namespace-missing
const facts: readonly [fact: string, request: AdmissionAttributes, message: string | undefined][] = [
  ['a namespace that is there takes new objects', inNamespace('ns'), undefined],
  ['a namespace that is missing does not', inNamespace('none'), 'namespaces "none" not found'],
  ['nor does it take updates', inNamespace('none', { operation: 'UPDATE' }), 'namespaces "none" not found'],
  ['deletions are always allowed', inNamespace('none', { operation: 'DELETE' }), undefined],
  [
    'a terminating namespace takes no new objects',
    inNamespace('going'),
    'configmaps "two" is forbidden: unable to create new content in namespace going because it is being terminated',
  ],
  ['objects in it can be updated', inNamespace('going', { operation: 'UPDATE' }), undefined],
  ['cluster-scoped objects are not its concern', inNamespace(''), undefined],
  [
    'access reviews do not tell whether a namespace exists',
    creating(review, 'localsubjectaccessreviews', { namespace: 'none' }),
    undefined,
  ],
  ['a namespace can be created', ofNamespace('new', 'CREATE'), undefined],
  ['a namespace can be deleted', ofNamespace('ns', 'DELETE'), undefined],
  [
    'default cannot',
    ofNamespace('default', 'DELETE'),
    'namespaces "default" is forbidden: this namespace may not be deleted',
  ],
];
test.each(facts)('%s', (_fact, request, message) => {
  expect(outcomeOf(namespaceLifecycle, 'mutate', { request, cluster, path: ['none'] })).toBe(message);
});

test('the refusal names its cause', () => {
  const answer = namespaceLifecycle.mutate?.(inNamespace('going'), portsOf(cluster));
  expect(refusalOf(answer)).toMatchObject({
    code: 403,
    details: {
      name: 'two',
      kind: 'configmaps',
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: 'namespace going is being terminated',
          field: 'metadata.namespace',
        },
      ],
    },
  });
});

// Source: apiserver v1.37.2 pkg/admission/plugin/namespace/lifecycle/admission.go (#140661)
test('since 1.37 a missing namespace takes updates', async () => {
  const { codec } = await loadRelease('1.37');
  const admit = (operation: 'CREATE' | 'UPDATE') =>
    refusalOf(namespaceLifecycle.mutate?.(inNamespace('none', { operation }), { ...portsOf(cluster), codec }))?.message;
  expect(admit('UPDATE')).toBeUndefined();
  expect(admit('CREATE')).toBe('namespaces "none" not found');
});

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
