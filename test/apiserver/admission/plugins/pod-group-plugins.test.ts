import { podGroupProtection } from '../../../../src/apiserver/admission/plugins/finalizer-plugins.ts';
import { expect, test } from 'vitest';
import { clusterTrustBundleAttest } from '../../../../src/apiserver/admission/plugins/certificate-plugins.ts';
import {
  jobValidation,
  podGroupWorkloadExists,
} from '../../../../src/apiserver/admission/plugins/pod-group-plugins.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { type KubernetesObject, withMetadata } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, outcomeOf, portsOf, refusalOf } from '../../../harness/builtin-plugin.ts';

const group = (spec: JsonObject): KubernetesObject => object('scheduling.k8s.io/v1alpha2', 'PodGroup', 'g', { spec });
const inNamespace = (one: KubernetesObject, metadata: object = {}): KubernetesObject =>
  withMetadata(one, { namespace: 'ns', ...metadata });
const workload = object('scheduling.k8s.io/v1alpha2', 'Workload', 'w', {
  spec: { podGroupTemplates: [{ name: 't' }] },
});
const made = (podGroupTemplateName: string): AdmissionAttributes =>
  creating(group({ podGroupTemplateRef: { workload: { workloadName: 'w', podGroupTemplateName } } }), 'podgroups');
const rejected = 'podgroups.scheduling.k8s.io "g" is forbidden: PodGroup rejected:';

// Source: kubernetes plugin/pkg/admission/podgroup/admission_test.go
test.each<
  [fact: string, request: AdmissionAttributes, workloads: readonly KubernetesObject[], message: string | undefined]
>([
  ['a group of its own', creating(group({}), 'podgroups'), [], undefined],
  ['no workload', made('t'), [], `${rejected} Workload "w" not found`],
  [
    'a workload of another namespace',
    made('t'),
    [withMetadata(workload, { namespace: 'other' })],
    `${rejected} Workload "w" not found`,
  ],
  ['its template', made('t'), [inNamespace(workload)], undefined],
  [
    'no such template',
    made('u'),
    [inNamespace(workload)],
    `${rejected} PodGroupTemplate "u" not found in Workload "w"`,
  ],
  [
    'a workload that goes',
    made('t'),
    [inNamespace(workload, { deletionTimestamp: 'now' })],
    `${rejected} Workload "w" is being deleted`,
  ],
])('a PodGroup from a Workload: %s', (_fact, request, workloads, message) => {
  const cluster = clusterOf({ 'workloads.scheduling.k8s.io': workloads });
  const answer = podGroupWorkloadExists.validate?.(request, portsOf(cluster));
  expect(refusalOf(answer)?.message).toBe(message);
});

test.each<[finalizers: readonly string[] | undefined, after: readonly string[]]>([
  [undefined, ['scheduling.k8s.io/podgroup-protection']],
  [['a/b'], ['a/b', 'scheduling.k8s.io/podgroup-protection']],
  [['scheduling.k8s.io/podgroup-protection'], ['scheduling.k8s.io/podgroup-protection']],
])('a PodGroup with finalizers %j gets %j', (finalizers, after) => {
  const request = creating(withMetadata(group({}), { finalizers }), 'podgroups');
  const path = ['metadata', 'finalizers'];
  expect(outcomeOf(podGroupProtection, 'mutate', { request, cluster: clusterOf({}), path })).toEqual(after);
});

const job = (parallelism: number, podGroupName?: string): KubernetesObject =>
  inNamespace(
    object('batch/v1', 'Job', 'j', {
      spec: {
        parallelism,
        template: { spec: podGroupName === undefined ? {} : { schedulingGroup: { podGroupName } } },
      },
    }),
    { uid: 'job-uid' },
  );
const resized = (podGroupName?: string): AdmissionAttributes =>
  creating(job(3, podGroupName), 'jobs', { operation: 'UPDATE', oldObject: job(2, podGroupName) });
const gang = inNamespace(group({ schedulingPolicy: { gang: { minCount: 2 } } }));
const owned = inNamespace(gang, {
  ownerReferences: [{ uid: 'another' }, { uid: 'job-uid', controller: true }],
});
const kept = 'jobs.batch "j" is forbidden: cannot change parallelism for a Job referencing gang-scheduled PodGroup "g"';

// Source: kubernetes plugin/pkg/admission/job/admission_test.go
test.each<
  [fact: string, request: AdmissionAttributes, groups: readonly KubernetesObject[], message: string | undefined]
>([
  ['that its Pods name', resized('g'), [gang], kept],
  ['that it controls', resized(), [owned], kept],
  ['that another owner controls', resized(), [gang], undefined],
  ['that is not there', resized('g'), [], undefined],
  ['that is no gang', resized('g'), [inNamespace(group({ schedulingPolicy: { basic: {} } }))], undefined],
  ['and the same parallelism', { ...resized('g'), oldObject: job(3, 'g') }, [gang], undefined],
])('a Job with a group %s', (_fact, request, groups, message) => {
  const answer = jobValidation.validate?.(request, portsOf(clusterOf({ 'podgroups.scheduling.k8s.io': groups })));
  expect(refusalOf(answer)?.message).toBe(message);
});

const bundle = (spec: JsonObject, metadata: object = {}): KubernetesObject =>
  withMetadata(object('certificates.k8s.io/v1beta1', 'ClusterTrustBundle', 'b', { spec }), metadata);
const signed = { signerName: 'a.b/c', trustBundle: 'x' };
const attest = (written: KubernetesObject, old: KubernetesObject | null = null): AdmissionAttributes =>
  creating(written, 'clustertrustbundles', { namespace: '', operation: old ? 'UPDATE' : 'CREATE', oldObject: old });
const refused =
  'clustertrustbundles.certificates.k8s.io "b" is forbidden: user not permitted to attest for signerName "a.b/c"';

// Source: kubernetes plugin/pkg/admission/certificates/ctbattest/admission_test.go
test.each<[fact: string, request: AdmissionAttributes, allowed: string, message: string | undefined]>([
  ['without a signer', attest(bundle({ trustBundle: 'x' })), 'nothing', undefined],
  ['who may attest', attest(bundle(signed)), 'attest a.b/c', undefined],
  ['who may attest for the domain', attest(bundle(signed)), 'attest a.b/*', undefined],
  ['who may sign only', attest(bundle(signed)), 'sign a.b/c', refused],
  ['the garbage collector', attest(bundle(signed), bundle(signed, { finalizers: ['a/b'] })), 'nothing', undefined],
  ['a change of labels', attest(bundle(signed, { labels: { a: 'b' } }), bundle(signed)), 'nothing', refused],
])('a trust bundle: %s', async (_fact, request, allowed, message) => {
  const answer = clusterTrustBundleAttest.validate?.(request, {
    ...portsOf(clusterOf({})),
    authorize: (question) => ({
      allowed: question.type === 'resource' && `${question.verb} ${question.name}` === allowed,
      reason: '',
    }),
  });
  expect(refusalOf(answer)?.message).toBe(message);
});
