import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/apimachinery/json.ts';
import { releaseNames } from '../../src/apimachinery/release-names.ts';
import { createWorlds } from '../../src/simulate/worlds.ts';
import { loggedRequest } from '../../src/trials/logged-request.ts';
import { upgrade } from '../../src/trials/upgrade.ts';
import type { UpgradeReport } from '../../src/trials/upgrade.ts';
import { manifest, scenarioOf } from '../harness/scenario.ts';

const worlds = createWorlds((bug) => {
  throw bug;
});
afterAll(() => worlds.close());

const upgraded = (objects: readonly JsonObject[], releases = releaseNames): Promise<UpgradeReport> =>
  upgrade(scenarioOf({ load: objects.map(manifest) }), releases, worlds);

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

/** Source: release notes of 1.33 to 1.36, as each row's note says; defaults of kubernetes pkg/features/kube_features.go. */
const changes: readonly (readonly [object: JsonObject, since: string, text: string, source: string])[] = [
  [named('v1', 'Endpoints'), '1.33', 'is warned of: v1 Endpoints is deprecated in v1.33+; use', '#130098'],
  [container({ lifecycle: { stopSignal: 'SIGUSR1' } }), '1.33', 'is not warned of any more: unknown field', '#130556'],
  [
    named('networking.k8s.io/v1', 'ServiceCIDR', { spec: { cidrs: ['10.2.0.0/16'] } }),
    '1.33',
    'is served now: no matches for kind "ServiceCIDR"',
    'KEP-1880',
  ],
  [pod({ hostUsers: false }), '1.33', 'spec.hostUsers: nothing before, false now', 'KEP-127'],
  [
    pod({ securityContext: { supplementalGroupsPolicy: 'Strict' } }),
    '1.33',
    'spec.securityContext.supplementalGroupsPolicy: nothing before, "Strict" now',
    'KEP-3619',
  ],
  [
    pod({ securityContext: { seLinuxChangePolicy: 'Recursive' } }),
    '1.33',
    'spec.securityContext.seLinuxChangePolicy: nothing before, "Recursive" now',
    'KEP-1710',
  ],
  [
    container({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] }),
    '1.33',
    'resizePolicy of container c: nothing before',
    'KEP-1287',
  ],
  [scaler, '1.33', 'is not warned of any more: unknown field "spec.behavior.scaleUp.tolerance"', '#130797'],
  [scaler, '1.35', 'spec.behavior.scaleUp.tolerance: nothing before, "50m" now', 'KEP-4951'],
  [driver({ nodeAllocatableUpdatePeriodSeconds: 30 }), '1.33', 'is not warned of any more: unknown field', 'KEP-4876'],
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
  [container({ restartPolicyRules: [] }), '1.34', 'is not warned of any more: unknown field', '#132642'],
  [pod({ hostnameOverride: 'a.example.com' }), '1.34', 'is not warned of any more: unknown field', '#132558'],
  [
    pod({ hostnameOverride: 'a.example.com' }),
    '1.35',
    'spec.hostnameOverride: nothing before, "a.example.com" now',
    'KEP-4762',
  ],
  [
    container({ env: [{ name: 'A', valueFrom: { fileKeyRef: { path: 'a', key: 'b', volumeName: 'v' } } }] }),
    '1.35',
    'is admitted; it was refused with 422',
    'KEP-3721',
  ],
  [pod({ workloadRef: { name: 'w', podGroup: 'g' } }), '1.35', 'is not warned of any more: unknown field', '#134564'],
  [pod({ workloadRef: { name: 'w', podGroup: 'g' } }), '1.36', 'is warned of: unknown field', 'KEP-4671'],
  [
    driver({ serviceAccountTokenInSecrets: false, tokenRequests: [{ audience: 'a' }] }),
    '1.35',
    'spec.serviceAccountTokenInSecrets: nothing before, false now',
    'KEP-5538',
  ],
  [
    service({ trafficDistribution: 'PreferClose' }),
    '1.35',
    'is warned of: spec.trafficDistribution: "PreferClose"',
    'KEP-3015',
  ],
  [service({ externalIPs: ['192.0.2.1'] }), '1.36', 'is warned of: spec.externalIPs is deprecated', '#137293'],
  [
    ruleAbout('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicies'),
    '1.36',
    'has a rule about admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
    '#136039',
  ],
];

const rows = changes.map(([object, since, text, source]) => ({ object, since, text, source }));

test.each(rows)('$since: $object.kind $text ($source)', async ({ object, since, text, source }) => {
  const { differences } = await upgraded([object]);
  const found = differences.find((one) => one.since === since && one.text.startsWith(text));
  expect(found?.note?.source).toBe(source);
});

test.each([
  ['an object that nothing was changed for', [named('v1', 'ConfigMap', { data: { a: 'b' } })], releaseNames],
  ['a Pod between releases that do the same with it', [pod({})], ['1.34', '1.35', '1.36']],
  ['nothing at all', [], releaseNames],
])('%s makes no difference', async (_what, objects, releases) => {
  expect(await upgraded(objects, releases)).toEqual({
    releases,
    requests: objects.length,
    differences: [],
    leftOut: {},
  });
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
  const report = await upgrade(
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
