import { expect, test } from 'vitest';
import { loadRelease } from '../../../../src/api/release/load-release.ts';
import { namespaceLifecycle } from '../../../../src/apiserver/admission/plugins/namespace-lifecycle.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import { clusterOf, creating, object, outcomeOf, portsOf, refusalOf } from '../../../harness/builtin-plugin.ts';

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
