import { afterAll, beforeAll, expect, test } from 'vitest';
import { asList, asObject, asString, type JsonObject } from '../../../src/machinery/json/json.ts';
import { createWorld, type World } from '../../../src/app/library/create-world.ts';

interface Case {
  readonly path: string;
  readonly create: JsonObject;
  /** A merge patch of what was created; without one the create is refused. */
  readonly patch?: JsonObject;
  readonly subresource?: string;
  readonly in137: readonly string[];
  readonly in136: readonly string[];
}

const coreV1 = '/api/v1/namespaces/default';
const noVersion = { name: 'o', uid: 'u', kind: 'K' };
const disruption = (conditions: readonly JsonObject[]): Omit<Case, 'in137' | 'in136'> => ({
  path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  create: { spec: { minAvailable: 1 } },
  subresource: 'status',
  patch: { status: { conditions } },
});
const condition = { type: 'A', status: 'True', reason: 'R', lastTransitionTime: '2026-01-01T00:00:00Z', message: '' };
const namePart =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const pod = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
const csr =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIS01IRUNBUUF3RHpFTk1Bc0dBMVVFQXd3RWFtRnVaVEJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSApBMElBQkRjSmpNRVptQUg4K09ralhkYkVuZG05UmcwSnpxeUhoU3lzelRPMGMvUXEwNTJxUUc5bmtCTUxlSHpSCmJjUGppSy91ZEVoUUhOY2FOMkVLbDhUS1lVMmdBREFLQmdncWhrak9QUVFEQWdOSkFEQkdBaUVBcEhLUnFnVWgKVFFqMUExTnVWdFNGVUNDbFZlOGlBc2RGRGxYdTdrVHY4VW9DSVFDYXNvNTRyQ3Zvbm9NTSsrQm9aZkRxYUl6bQp1U2JmZzNaclRzQkVXTG1VVEE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';
const request = { signerName: 'example.com/s', usages: ['client auth'], request: csr };
const labelKey = namePart;
const edit = '{"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}';
const toZero = 'must specify at least one Object or External metric to support scaling to zero replicas';
const exactlyOne = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
const notBoth = 'ShareProcessNamespace and HostPID cannot both be enabled';

const refusedSysAdmin =
  'template.spec.containers[0].securityContext: Invalid value: {"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":null,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN';
const claimRequest = (name: string): JsonObject => ({ name, exactly: { deviceClassName: 'c.example.com' } });
const sysAdmin = (context: JsonObject): JsonObject => ({
  template: {
    spec: {
      containers: [
        { name: 'c', image: 'i', securityContext: { capabilities: { add: ['CAP_SYS_ADMIN'] }, ...context } },
      ],
    },
  },
});

const cases: Readonly<Record<string, Case>> = {
  // apimachinery pkg/api/validation/objectmeta.go validateOwnerReference of both releases.
  'an owner without anything, after one that is named': {
    path: `${coreV1}/configmaps`,
    create: {
      metadata: {
        ownerReferences: [
          { ...noVersion, apiVersion: 'v1' },
          { apiVersion: '', kind: '', name: '', uid: '' },
        ],
      },
    },
    in137: ['apiVersion', 'kind', 'name', 'uid'].map(
      (field) => `metadata.ownerReferences[1].${field}: Required value: must not be empty`,
    ),
    in136: [
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      ...['kind', 'name', 'uid'].map(
        (field) => `metadata.ownerReferences.${field}: Invalid value: "": must not be empty`,
      ),
    ],
  },
  'an owner of a version with two slashes, and an event': {
    path: `${coreV1}/configmaps`,
    create: {
      metadata: {
        ownerReferences: [
          { ...noVersion, apiVersion: 'a/b/c' },
          { ...noVersion, apiVersion: 'v1', kind: 'Event' },
        ],
      },
    },
    in137: [
      'metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>',
      'metadata.ownerReferences[1]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"o","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
    in136: [
      'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"o","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
  },
  // apimachinery pkg/apis/meta/v1/validation/validation.go ValidateConditions of both releases.
  'a condition twice': {
    ...disruption([condition, condition]),
    in137: ['status.conditions[1]: Duplicate value: "A"'],
    in136: ['status.conditions[1].type: Duplicate value: "A"'],
  },
  'a condition without type and status': {
    ...disruption([{ ...condition, type: '', status: '' }]),
    in137: ['status.conditions[0].type: Required value: is required', 'status.conditions[0].status: Required value'],
    in136: [
      'status.conditions[0].type: Invalid value: "": name part must be non-empty',
      `status.conditions[0].type: Invalid value: "": ${namePart}`,
      'status.conditions[0].status: Unsupported value: "": supported values: "False", "True", "Unknown"',
    ],
  },
  // The +k8s:beta tags of k8s.io/api of 1.37: declarative errors come last, in their own words.
  'a schedule, behind other errors': {
    path: '/apis/batch/v1/namespaces/default/cronjobs',
    create: { spec: { schedule: '', concurrencyPolicy: 'No', jobTemplate: { spec: { template: pod } } } },
    in137: [
      'spec.concurrencyPolicy: Unsupported value: "No": supported values: "Allow", "Forbid", "Replace"',
      'spec.schedule: Required value',
    ],
    in136: [
      'spec.schedule: Required value',
      'spec.concurrencyPolicy: Unsupported value: "No": supported values: "Allow", "Forbid", "Replace"',
    ],
  },
  'fields of a StorageClass that do not change': {
    path: '/apis/storage.k8s.io/v1/storageclasses',
    create: { provisioner: 'example.com/p' },
    patch: { provisioner: 'example.com/q', reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' },
    in137: ['provisioner', 'reclaimPolicy', 'volumeBindingMode'].map(
      (field) => `${field}: Invalid value: null: field is immutable`,
    ),
    in136: [
      'provisioner: Invalid value: "example.com/q": field is immutable',
      'reclaimPolicy: Invalid value: "Retain": field is immutable',
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ],
  },
  'verbs of a rule': {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    create: { rules: [{ verbs: [], apiGroups: [], resources: ['pods'] }] },
    in137: [
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
      'rules[0].verbs: Required value',
    ],
    in136: [
      'rules[0].verbs: Required value: verbs must contain at least one value',
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
    ],
  },
  'a handler that changes and is empty': {
    path: '/apis/node.k8s.io/v1/runtimeclasses',
    create: { handler: 'a' },
    patch: { handler: '' },
    in137: ['handler: Invalid value: null: field is immutable', 'handler: Required value'],
    in136: ['handler: Required value', 'handler: Invalid value: "": field is immutable'],
  },
  'both conditions of a request': {
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    create: { spec: request },
    subresource: 'approval',
    patch: {
      status: {
        conditions: [
          { type: 'Approved', status: 'True' },
          { type: 'Denied', status: 'True' },
        ],
      },
    },
    in137: [
      'status.conditions: Invalid value: "{conditions[{\\"type\\": \\"Approved\\"}], conditions[{\\"type\\": \\"Denied\\"}]}": must specify at most one of: `conditions[{"type": "Approved"}]`, `conditions[{"type": "Denied"}]`',
    ],
    in136: ['status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive'],
  },
  'a priority level that queues nowhere': {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
    create: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue' } } } },
    in137: ['spec.limited.limitResponse.queuing: Required value'],
    in136: [
      'spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited',
    ],
  },
  // kubernetes pkg/apis/{rbac,networking,autoscaling,apps}/validation/validation.go of both releases.
  'a roleRef that changes': {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    create: { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' } },
    patch: { roleRef: { name: 'edit' } },
    in137: [`roleRef: Invalid value: ${edit}: field is immutable`],
    in136: [`roleRef: Invalid value: ${edit}: cannot change roleRef`],
  },
  'an endPort below the port': {
    path: '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    create: { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80, endPort: 70 }] }] } },
    in137: ['spec.ingress[0].ports[0].endPort: Invalid value: 70: must be greater than or equal to `port`'],
    in136: ['spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`'],
  },
  'no replicas at least': {
    path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    create: {
      spec: { minReplicas: 0, maxReplicas: 0, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'D', name: 'd' } },
    },
    in137: [`spec.metrics: Forbidden: ${toZero}`, 'spec.maxReplicas: Required value'],
    in136: [
      'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
      'spec.maxReplicas: Required value: must be set and greater than 0',
      `spec.metrics: Forbidden: ${toZero}`,
    ],
  },
  'fields of a StatefulSet that do not change': {
    path: '/apis/apps/v1/namespaces/default/statefulsets',
    create: {
      spec: {
        serviceName: 's',
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
    patch: { spec: { serviceName: 't', podManagementPolicy: 'Parallel' } },
    in137: [
      'spec.serviceName: Invalid value: "t": field is immutable',
      'spec.podManagementPolicy: Invalid value: "Parallel": field is immutable',
    ],
    in136: [
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ],
  },
  'processes that are shared on the host': {
    path: `${coreV1}/podtemplates`,
    create: {
      template: { spec: { shareProcessNamespace: true, hostPID: true, containers: [{ name: 'c', image: 'i' }] } },
    },
    in137: [`template.spec.shareProcessNamespace: Invalid value: true: ${notBoth}`],
    in136: [`template.spec.securityContext.shareProcessNamespace: Invalid value: true: ${notBoth}`],
  },
  // kubernetes pkg/apis/authorization/validation/validation.go of both releases.
  'a review about nothing': {
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    create: { spec: { user: 'u' }, metadata: { name: '' } },
    in137: [`spec: Invalid value: null: ${exactlyOne}`],
    in136: [`spec.resourceAttributes: Invalid value: null: ${exactlyOne}`],
  },
  'a review about a resource and a path': {
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    create: {
      spec: { resourceAttributes: { verb: 'get' }, nonResourceAttributes: { path: '/x' } },
      metadata: { name: '' },
    },
    in137: [`spec: Invalid value: {"Path":"/x","Verb":""}: ${exactlyOne}`],
    in136: [
      'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: cannot be specified in combination with resourceAttributes',
    ],
  },
  // kubernetes pkg/apis/core/validation/validation.go validateImageVolumeSource of both releases.
  'a volume of a template without image': {
    path: `${coreV1}/podtemplates`,
    create: {
      template: { spec: { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', image: {} }] } },
    },
    in137: ['template.spec.volumes[0].image.reference: Required value'],
    in136: [],
  },
  // kubernetes pkg/api/pod/util.go useAllowSysAdminWhenPrivilegeEscalationFalse (#138834).
  'CAP_SYS_ADMIN that a template had before': {
    path: `${coreV1}/podtemplates`,
    create: sysAdmin({}),
    patch: sysAdmin({ allowPrivilegeEscalation: false }),
    in137: [],
    in136: [refusedSysAdmin],
  },
  'CAP_SYS_ADMIN that is new': {
    path: `${coreV1}/podtemplates`,
    create: sysAdmin({ allowPrivilegeEscalation: true }),
    patch: sysAdmin({ allowPrivilegeEscalation: false }),
    in137: [refusedSysAdmin],
    in136: [refusedSysAdmin],
  },
  // apimachinery pkg/api/validate/{immutable,update}.go of 1.37.
  'the spec of a claim of devices': {
    path: '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims',
    create: { spec: { devices: { requests: [claimRequest('a')] } } },
    patch: { spec: { devices: { requests: [claimRequest('b')] } } },
    in137: ['spec: Invalid value: null: field is immutable'],
    in136: [expect.stringMatching(/^spec: Invalid value: \{.*\}: field is immutable$/)],
  },
  // ErrorList.Filter of apimachinery pkg/util/validation/field/errors.go keeps each text once.
  'an error that two rules find': {
    path: `${coreV1}/configmaps`,
    create: {},
    patch: { metadata: { labels: { 'a b': '' } } },
    in137: [`metadata.labels: Invalid value: "a b": ${labelKey}`],
    in136: Array.from({ length: 4 }, () => `metadata.labels: Invalid value: "a b": ${labelKey}`),
  },
};

const worlds = new Map<string, World>();

beforeAll(async () => {
  for (const kubernetesVersion of ['1.36', '1.37']) {
    worlds.set(kubernetesVersion, await createWorld({ controllers: [], kubernetesVersion }));
  }
});

afterAll(async () => {
  await Promise.all([...worlds.values()].map((world) => world.close()));
});

/** The causes of the last answer, as a client reads them; none of an accepted request. */
async function causes(version: string, name: string, row: Case): Promise<readonly string[]> {
  const world = worlds.get(version);
  if (!world) throw new Error(`no world of ${version}`);
  const { path, create, patch, subresource } = row;
  const metadata = { name, ...asObject(create['metadata']) };
  const created = await world.client.request({ method: 'POST', path, body: { ...create, metadata } });
  if (!patch) return causesIn(created.body);
  expect(created.body['message']).toBeUndefined();
  const { body } = await world.client.request({
    method: 'PATCH',
    path: [path, asString(metadata.name), ...(subresource === undefined ? [] : [subresource])].join('/'),
    body: patch,
    contentType: 'application/merge-patch+json',
  });
  return causesIn(body);
}

const causesIn = (body: JsonObject): readonly string[] => {
  const found = asList(asObject(body['details'])['causes']).map((cause) => {
    const { field, message } = asObject(cause);
    return `${asString(field)}: ${asString(message)}`;
  });
  return found.length === 0 && body['kind'] === 'Status' ? [asString(body['message'])] : found;
};

test.each(Object.entries(cases).map(([name, row], index) => ({ name, row, index })))(
  '$name',
  async ({ row, index }) => {
    expect(await causes('1.37', `a${index}`, row)).toEqual(row.in137);
    expect(await causes('1.36', `a${index}`, row)).toEqual(row.in136);
  },
);
