import { afterAll, beforeAll, expect, test } from 'vitest';
import { asObject, asString, type JsonObject } from '../../../src/machinery/json/json.ts';
import { releaseNames } from '../../../src/machinery/meta/release-names.ts';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';
import { loggedRequest } from '../../../src/analysis/trials/logged-request.ts';
import { releaseNotes } from '../../../src/analysis/trials/release-notes.ts';
import { compareReleases, type CompatReport } from '../../../src/analysis/trials/compat.ts';
import { manifest, scenarioOf } from '../../harness/scenario.ts';

const worlds = createWorlds((bug) => {
  throw bug;
});
afterAll(() => worlds.close());

const upgraded = (objects: readonly JsonObject[], releases = releaseNames): Promise<CompatReport> =>
  compareReleases(scenarioOf({ load: objects.map(manifest) }), releases, worlds);

const named = (apiVersion: string, kind: string, rest: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  ...rest,
});
const pod = (spec: JsonObject, container: JsonObject = {}): JsonObject =>
  named('v1', 'Pod', { spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec } });
const container = (fields: JsonObject): JsonObject => pod({}, fields);
const service = (spec: JsonObject): JsonObject =>
  named('v1', 'Service', { spec: { ports: [{ port: 80 }], selector: { a: 'b' }, ...spec } });
const driver = (spec: JsonObject): JsonObject => named('storage.k8s.io/v1', 'CSIDriver', { spec });
const scaler = named('autoscaling/v2', 'HorizontalPodAutoscaler', {
  spec: {
    maxReplicas: 2,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
    behavior: { scaleUp: { tolerance: '50m' } },
  },
});
const ruleAbout = (group: string, version: string, resource: string): JsonObject =>
  named('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {
    webhooks: [
      {
        name: 'x.example.com',
        clientConfig: { url: 'https://127.0.0.1:9443' },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        rules: [{ apiGroups: [group], apiVersions: [version], resources: [resource], operations: ['CREATE'] }],
      },
    ],
  });

const spread = {
  ...pod({
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { a: 'b' } },
        matchLabelKeys: ['v'],
      },
    ],
  }),
  metadata: { name: 'x', labels: { v: '1' } },
};
const claimQuota = named('v1', 'ResourceQuota', {
  spec: {
    hard: { persistentvolumeclaims: '1' },
    scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'Exists' }] },
  },
});
const rolling = named('apps/v1', 'StatefulSet', {
  spec: {
    serviceName: 's',
    selector: { matchLabels: { a: 'b' } },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});
const inside = (cidr: string): JsonObject =>
  named('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr } }] }] },
  });

const definition = (spec: JsonObject): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'x' },
  spec,
});
/** Its name is that of its resource. */
const defined = (plural: string, schema: JsonObject): JsonObject =>
  definition({
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind: plural },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', ...schema } } }],
  });
const template = (spec: JsonObject): JsonObject => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const toZero = named('autoscaling/v2', 'HorizontalPodAutoscaler', {
  spec: {
    minReplicas: 0,
    maxReplicas: 2,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
    metrics: [{ type: 'External', external: { metric: { name: 'q' }, target: { type: 'Value', value: '1' } } }],
  },
});
const cron = named('batch/v1', 'CronJob', {
  spec: {
    schedule: '',
    concurrencyPolicy: 'No',
    jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }) } },
  },
});
const projecting = (source: JsonObject): JsonObject =>
  pod({ volumes: [{ name: 'v', projected: { sources: [source] } }] });

/** Source: release notes of 1.34 to 1.37, as each row's note says; defaults of kubernetes pkg/features/kube_features.go. */
const changes: readonly (readonly [object: JsonObject, since: string, text: string, source: string])[] = [
  [scaler, '1.35', 'spec.behavior.scaleUp.tolerance: nothing before, "50m" now', 'KEP-4951'],
  [
    driver({ nodeAllocatableUpdatePeriodSeconds: 30 }),
    '1.35',
    'spec.nodeAllocatableUpdatePeriodSeconds: nothing before, 30 now',
    'KEP-4876',
  ],
  [named('resource.k8s.io/v1', 'DeviceClass', { spec: {} }), '1.34', 'is served now: no matches', 'KEP-4381'],
  [
    ruleAbout('resource.k8s.io', 'v1', 'resourceclaims'),
    '1.34',
    'has a rule about resource.k8s.io/v1/resourceclaims, which is served from this release on',
    'KEP-4381',
  ],
  [
    named('storage.k8s.io/v1', 'VolumeAttributesClass', { driverName: 'a.example.com', parameters: { a: 'b' } }),
    '1.34',
    'is served now: no matches',
    'KEP-3751',
  ],
  [pod({ resources: { limits: { cpu: '1' } } }), '1.34', 'spec.resources: nothing before', 'KEP-2837'],
  [container({ restartPolicyRules: [] }), '1.34', 'no longer causes a warning: unknown field', '#132642'],
  [pod({ hostnameOverride: 'a.example.com' }), '1.34', 'no longer causes a warning: unknown field', '#132558'],
  [
    pod({ hostnameOverride: 'a.example.com' }),
    '1.35',
    'spec.hostnameOverride: nothing before, "a.example.com" now',
    'KEP-4762',
  ],
  [
    pod(
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { env: [{ name: 'A', valueFrom: { fileKeyRef: { path: 'a', key: 'b', volumeName: 'v' } } }] },
    ),
    '1.35',
    'is admitted; it was refused with 422',
    'KEP-3721',
  ],
  [
    pod({ volumes: [{ name: 'v', image: { reference: 'r' } }] }),
    '1.35',
    'volume v: nothing before, {"name":"v","image"',
    'KEP-4639',
  ],
  [container({ restartPolicy: 'OnFailure' }), '1.35', 'restartPolicy of container c: nothing before', 'KEP-5307'],
  [
    pod({
      volumes: [
        {
          name: 'v',
          projected: { sources: [{ podCertificate: { signerName: 'a.example.com/s', keyType: 'ED25519' } }] },
        },
      ],
    }),
    '1.34',
    'no longer causes a warning: unknown field',
    'KEP-4317',
  ],
  [spread, '1.34', 'spec.topologySpreadConstraints', '#129874'],
  [service({ trafficDistribution: 'PreferSameNode' }), '1.34', 'is admitted; it was refused with 422', '#132127'],
  [claimQuota, '1.34', 'is admitted; it was refused with 422', '#124360'],
  [
    pod(
      { hostUsers: false, volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'v' } }] },
      { volumeDevices: [{ name: 'v', devicePath: '/v' }] },
    ),
    '1.34',
    'is refused with 422',
    '#132868',
  ],
  [
    service({ clusterIP: 'None', externalIPs: ['192.0.2.1'] }),
    '1.34',
    'causes a warning: spec.externalIPs is ignored for headless services',
    '#132214',
  ],
  [
    service({ clusterIP: 'None' }),
    '1.35',
    'no longer causes a warning: spec.SessionAffinity is ignored for headless services',
    '#134054',
  ],
  [rolling, '1.35', 'spec.updateStrategy.rollingUpdate.maxUnavailable: nothing before, 1 now', '#133153'],
  [rolling, '1.36', 'spec.updateStrategy.rollingUpdate.maxUnavailable: 1 before, nothing now', '#137904'],
  [service({ externalIPs: ['010.1.2.3'] }), '1.36', 'is refused with 422', '#137053'],
  [inside('10.0.0.1/8'), '1.36', 'is refused with 422', '#137053'],
  [{ ...service({}), metadata: { name: '1' } }, '1.36', 'is admitted; it was refused with 422', 'KEP-5311'],
  [
    pod({
      initContainers: [
        { name: 'i', image: 'i', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
      ],
    }),
    '1.36',
    'is refused with 422',
    '#137458',
  ],
  [
    named('resource.k8s.io/v1', 'DeviceClass', { spec: { extendedResourceName: 'example.com/gpu' } }),
    '1.36',
    'spec.extendedResourceName: nothing before, "example.com/gpu" now',
    'KEP-5004',
  ],
  [pod({ workloadRef: { name: 'w', podGroup: 'g' } }), '1.35', 'no longer causes a warning: unknown field', '#134564'],
  [pod({ workloadRef: { name: 'w', podGroup: 'g' } }), '1.36', 'causes a warning: unknown field', 'KEP-4671'],
  [
    driver({ serviceAccountTokenInSecrets: false, tokenRequests: [{ audience: 'a' }] }),
    '1.35',
    'spec.serviceAccountTokenInSecrets: nothing before, false now',
    'KEP-5538',
  ],
  [
    service({ trafficDistribution: 'PreferClose' }),
    '1.35',
    'causes a warning: spec.trafficDistribution: "PreferClose"',
    'KEP-3015',
  ],
  [service({ externalIPs: ['192.0.2.1'] }), '1.36', 'causes a warning: spec.externalIPs is deprecated', '#137293'],
  [
    ruleAbout('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicies'),
    '1.36',
    'has a rule about admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
    '#136039',
  ],
  [
    ruleAbout('authorization.k8s.io', 'v1', 'subjectaccessreviews'),
    '1.37',
    'causes a warning: webhooks[0].rules[0]: subjectaccessreviews.authorization.k8s.io is excluded',
    '#140019',
  ],
  [
    {
      ...named('v1', 'ConfigMap'),
      metadata: { name: 'x', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '' }] },
    },
    '1.37',
    'is refused with other words',
    '#140381',
  ],
  [toZero, '1.37', 'is admitted; it was refused with 422', '#139648'],
  [driver({}), '1.37', 'spec.preventPodSchedulingIfMissing: nothing before, false now', '#140612'],
  [rolling, '1.37', 'spec.updateStrategy.rollingUpdate.maxUnavailable: nothing before, 1 now', '#139466'],
  [
    named('apps/v1', 'Deployment', {
      spec: { selector: { matchLabels: { a: 'b' } }, template: template({ volumes: [{ name: 'v', image: {} }] }) },
    }),
    '1.37',
    'is refused with 422',
    '#135989',
  ],
  [
    {
      ...pod({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_notsent_lowat', value: '1' }] } }),
      metadata: { name: 'x', namespace: 'baseline' },
    },
    '1.37',
    'is admitted; it was refused with 403',
    '#138389',
  ],
  [
    defined('longs', {
      'x-kubernetes-validations': [{ rule: 'self.spec.all(x, x.contains(self.metadata.name))' }],
      properties: { spec: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 100 } } },
    }),
    '1.37',
    'is admitted; it was refused with 422',
    '#139573',
  ],
  [
    defined('sets', {
      properties: {
        spec: {
          type: 'array',
          'x-kubernetes-list-type': 'set',
          items: { type: 'object', 'x-kubernetes-map-type': 'atomic' },
        },
      },
    }),
    '1.37',
    'causes a warning: x-kubernetes-list-type: set for items of type "object"',
    '#140616',
  ],
  [
    pod({ resources: { requests: { cpu: '2' } } }, { resources: { limits: { cpu: '1' } } }),
    '1.37',
    'spec.resources.limits: nothing before',
    '#140514',
  ],
  ...[
    [pod({ evictionResponders: [] }), '#137050'] as const,
    [container({ livenessProbe: { httpGet: { port: 80, protocol: 'H2C' } } }), '#139429'] as const,
    [container({ livenessProbe: { grpc: { port: 80, mode: 'TLS' } } }), '#137762'] as const,
    [
      pod(
        { volumes: [{ name: 'v', emptyDir: {} }] },
        { volumeMounts: [{ name: 'v', mountPath: '/v', bindMountOptions: ['noexec'] }] },
      ),
      '#140013',
    ] as const,
    [pod({ volumes: [{ name: 'v', emptyDir: { mode: 1 } }] }), '#140244'] as const,
    [pod({ volumes: [{ name: 'v', secret: { secretName: 's', defaultUser: 1 } }] }), '#139764'] as const,
    [
      named('batch/v1', 'Job', { spec: { scheduling: {}, template: template({ restartPolicy: 'Never' }) } }),
      '#140188',
    ] as const,
    [named('v1', 'Node', { spec: { podPreemptionPolicy: {} } }), '#140000'] as const,
  ].map(([object, source]) => [object, '1.37', 'no longer causes a warning: unknown field', source] as const),
  [
    named('certificates.k8s.io/v1', 'ClusterTrustBundle', { spec: { trustBundle: 'x' } }),
    '1.37',
    'is served now: no matches',
    '#139437',
  ],
  [
    projecting({ clusterTrustBundle: { name: 'a', path: 'b' } }),
    '1.37',
    'projected.sources[0].clusterTrustBundle of volume v: nothing before',
    '#139437',
  ],
  [
    projecting({ podCertificate: { signerName: 'a.example.com/s', keyType: 'ED25519', credentialBundlePath: 'a' } }),
    '1.37',
    'projected.sources[0].podCertificate of volume v: nothing before',
    '#139579',
  ],
  [named('storagemigration.k8s.io/v1', 'StorageVersionMigration'), '1.37', 'is served now: no matches', '#138560'],
  [named('resource.k8s.io/v1', 'DeviceTaintRule'), '1.37', 'is served now: no matches', '#138676'],
  [cron, '1.37', 'is refused with other words', 'KEP-5073'],
];

function uniqueName(object: JsonObject, index: number): string {
  const { plural } = asObject(asObject(object['spec'])['names']);
  return plural === undefined ? `${nameOf(object)}${index}` : `${asString(plural)}.example.com`;
}

const nameOf = (object: JsonObject): string => asString(asObject(object['metadata'])['name']);

/** All under each release at once: an object is identified by its place. */
const manifests = changes.map(([object], index) => ({
  ...manifest({ ...object, metadata: { ...asObject(object['metadata']), name: uniqueName(object, index) } }),
  place: { file: 'all.yaml', line: index, column: 1 },
}));
const baseline = manifest({
  ...named('v1', 'Namespace'),
  metadata: { name: 'baseline', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } },
});

const role = named('rbac.authorization.k8s.io/v1', 'Role');
const binding = (to: string): JsonObject =>
  named('rbac.authorization.k8s.io/v1', 'RoleBinding', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: to },
  });
/** Updates of an audit log; the RoleBinding is loaded. */
const logged: readonly (readonly [resource: string, object: JsonObject, text: string, source: string])[] = [
  [
    'roles',
    { ...role, metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } },
    'metadata.deletionTimestamp: "2026-01-01T00:00:00Z" before, nothing now',
    '#138908',
  ],
  ['rolebindings', binding('b'), 'is refused with other words', 'KEP-5073'],
];
const eventOf = (resource: string, requestObject: JsonObject): JsonObject => ({
  kind: 'Event',
  stage: 'ResponseComplete',
  verb: 'update',
  user: { username: 'bob', groups: ['system:masters'] },
  objectRef: { resource, namespace: 'default', name: 'x', apiGroup: 'rbac.authorization.k8s.io', apiVersion: 'v1' },
  responseStatus: { code: 200 },
  requestObject,
});

let report: CompatReport | undefined;
beforeAll(async () => {
  report = await compareReleases(
    scenarioOf({ load: [baseline, manifest(binding('a')), ...manifests] }),
    releaseNames,
    worlds,
    async function* () {
      for (const [resource, object] of logged) yield loggedRequest(eventOf(resource, object));
    },
  );
}, 60_000);

test.each(logged)('1.37: %s: %s', (resource, _object, text, source) => {
  const own = report?.differences.filter((one) => one.request === `update ${resource} default/x by bob`) ?? [];
  expect(own.map((one) => [one.since, one.text.startsWith(text), one.note?.source])).toContainEqual([
    '1.37',
    true,
    source,
  ]);
});

const rows = changes.map(([object, since, text, source], index) => ({ object, since, text, source, index }));

test.each(rows)('$since: $object.kind $text ($source)', ({ since, text, source, index }) => {
  const own = report?.differences.filter(({ place }) => place === `all.yaml:${index}`) ?? [];
  const found = own.filter((one) => one.since === since && one.text.startsWith(text));
  expect(found.map(({ note }) => note?.source)).toContain(source);
});

test('every note is found by a change', () => {
  const noted = new Set(report?.differences.map(({ note }) => note?.text));
  expect(releaseNotes.map(({ text }) => text).filter((text) => !noted.has(text))).toEqual([]);
});

test.each([
  ['an object that nothing was changed for', [named('v1', 'ConfigMap', { data: { a: 'b' } })], releaseNames],
  ['a Pod between releases that do the same with it', [pod({})], ['1.34', '1.35', '1.36']],
  [
    'a Job, which has its uid in labels,',
    [named('batch/v1', 'Job', { spec: { template: template({ restartPolicy: 'Never' }) } })],
    ['1.36', '1.37'],
  ],
  ['nothing at all', [], releaseNames],
])('%s makes no difference', async (_what, objects, releases) => {
  expect(await upgraded(objects, releases)).toEqual({
    releases,
    requests: objects.length,
    differences: [],
    leftOut: {},
  });
});

test('what no release serves is left out, and said', async () => {
  const gone = named('flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema', {});
  const report = await upgraded([gone, pod({})], ['1.35', '1.36']);
  expect([report.requests, Object.entries(report.leftOut)]).toEqual([
    1,
    [[expect.stringMatching(/^in no release: .*FlowSchema/), 1]],
  ]);
});

test('requests of a log are tried too, and what was a read is left out', async () => {
  const event = (verb: string): unknown => ({
    kind: 'Event',
    stage: 'ResponseComplete',
    verb,
    requestURI: '/api/v1/namespaces/shop/services',
    user: { username: 'bob' },
    objectRef: { resource: 'services', namespace: 'shop', name: 'x', apiVersion: 'v1' },
    responseStatus: { code: 201 },
    requestObject: service({ externalIPs: ['192.0.2.1'] }),
  });
  const report = await compareReleases(
    scenarioOf({ controllers: [], authorizationMode: 'AlwaysAllow' }),
    releaseNames,
    worlds,
    async function* () {
      yield loggedRequest(event('create'));
      yield loggedRequest(event('list'));
    },
  );
  expect(report).toMatchObject({
    requests: 1,
    leftOut: { 'a read': 1 },
    differences: [{ request: 'create services shop/x by bob', since: '1.36', kind: 'warning' }],
  });
});
