import type { JsonObject } from '../../src/machinery/json/json.ts';
import { readSamples } from '../differ/samples.ts';
import { type Case, request } from './case.ts';
import { type LongField, findFields } from './long-fields.ts';

/** The endpoint of an object that is not written to its own collection. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
  /** Of a patch. */
  readonly type?: string;
  readonly object: JsonObject;
  /** Only fields below this one are long. */
  readonly below: readonly string[];
  /** Acts before and after it. */
  readonly needs: Case;
  readonly leaves: Case;
}

const core = '/api/v1/namespaces/default';
const pods = `${core}/pods`;
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const strategic = 'application/strategic-merge-patch+json';

const metadata = { name: 'n1' };
const spec = { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] };
const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec };
const labels = { app: 'x' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata,
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
};
const csr = readSamples().find(({ resource }) => resource === 'certificatesigningrequests')?.object ?? {};

/** Creates the object before the endpoint is called, and deletes it afterwards. */
const createAndDelete = (collection: string, object: JsonObject): Pick<Endpoint, 'needs' | 'leaves'> => ({
  needs: [request('POST', collection, object)],
  leaves: [request('DELETE', `${collection}/n1`, { gracePeriodSeconds: 0 })],
});
const none = { needs: [], leaves: [] };
const aroundPod = createAndDelete(pods, pod);
const aroundDeployment = createAndDelete(deployments, deployment);

const ephemeral = { ...pod, spec: { ...spec, ephemeralContainers: [{ name: 'e', image: 'i' }] } };
const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas: 1 } };
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata, deleteOptions: {} };
const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'n' } };
const token = {
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  metadata,
  spec: { audiences: ['a'] },
};
const review = (group: string, kind: string, of: JsonObject): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: {},
  spec: of,
});
const accessReview = { user: 'u', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } };

const reviews = (
  [
    ['authorization.k8s.io', 'SubjectAccessReview', accessReview],
    ['authorization.k8s.io', 'SelfSubjectAccessReview', { resourceAttributes: accessReview.resourceAttributes }],
    ['authorization.k8s.io', 'SelfSubjectRulesReview', { namespace: 'default' }],
    ['authentication.k8s.io', 'TokenReview', { token: 'a' }],
    ['authentication.k8s.io', 'SelfSubjectReview', {}],
  ] as const
).map(([group, kind, of]): Endpoint => {
  const path = `/apis/${group}/v1/${kind.toLowerCase()}s`;
  return { method: 'POST', path, object: review(group, kind, of), below: [], ...none };
});

const localReview = '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews';

export const endpoints: readonly Endpoint[] = [
  ...reviews,
  {
    method: 'POST',
    path: localReview,
    object: review('authorization.k8s.io', 'LocalSubjectAccessReview', accessReview),
    below: ['spec'],
    ...none,
  },
  { method: 'POST', path: `${pods}/n1/eviction`, object: eviction, below: [], ...aroundPod },
  { method: 'POST', path: `${pods}/n1/binding`, object: binding, below: [], ...aroundPod },
  {
    method: 'PUT',
    path: `${pods}/n1/ephemeralcontainers`,
    object: ephemeral,
    below: ['spec', 'ephemeralContainers'],
    ...aroundPod,
  },
  {
    method: 'PATCH',
    type: strategic,
    path: `${pods}/n1/ephemeralcontainers`,
    object: { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] }, apiVersion: 'v1', kind: 'Pod' },
    below: ['spec', 'ephemeralContainers'],
    ...aroundPod,
  },
  { method: 'PUT', path: `${pods}/n1/resize`, object: pod, below: ['spec', 'containers'], ...aroundPod },
  { method: 'PUT', path: `${deployments}/n1/scale`, object: scale, below: [], ...aroundDeployment },
  {
    method: 'PATCH',
    type: 'application/merge-patch+json',
    path: `${deployments}/n1/scale`,
    object: scale,
    below: [],
    ...aroundDeployment,
  },
  {
    method: 'PATCH',
    type: 'application/apply-patch+yaml',
    path: `${deployments}/n1/scale?fieldManager=m&force=true`,
    object: scale,
    below: ['metadata'],
    ...aroundDeployment,
  },
  { method: 'POST', path: `${core}/serviceaccounts/default/token`, object: token, below: [], ...none },
  {
    method: 'PUT',
    path: '/api/v1/namespaces/n1/finalize',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata, spec: { finalizers: ['kubernetes'] } },
    below: ['spec'],
    ...createAndDelete('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata }),
  },
  {
    method: 'PUT',
    path: `${requests}/n1/approval`,
    object: { ...csr, status: { conditions: [{ type: 'Approved', status: 'True', reason: 'x' }] } },
    below: ['status'],
    ...createAndDelete(requests, csr),
  },
  {
    method: 'DELETE',
    path: `${pods}/n1`,
    object: { apiVersion: 'v1', kind: 'DeleteOptions' },
    below: [],
    ...aroundPod,
  },
];

/** Each field of the body. */
export const findFieldsOfEndpoint = ({ object, below }: Endpoint): readonly LongField[] =>
  findFields({ resource: '', namespaced: false, object }).filter(({ path }) =>
    below.every((name, at) => path[at] === name),
  );
