import { expect, test } from 'vitest';
import { loadRelease } from '../../../src/api/release/load-release.ts';
import { readJson } from '../../../src/machinery/json/json-reader.ts';
import { asObject, type JsonObject } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { contextWith } from './write.ts';

const pods = { group: '', resource: 'pods' };
const kind = { group: '', version: 'v1', kind: 'Pod' };

const pod = (spec: JsonObject, status?: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ns' },
  spec,
  ...(status && { status }),
});

/** With the defaults of decoding. */
async function decoded(name: string, manifest: JsonObject): Promise<KubernetesObject> {
  const { codec } = await loadRelease(name);
  const reading = readJson(JSON.stringify(manifest));
  if (reading.outcome !== 'read') throw new Error(reading.error);
  const result = codec.decode(reading.json, kind);
  if (result.outcome !== 'decoded') throw new Error(result.error);
  return codec.applyDefaults(result.object);
}

async function created(name: string, manifest: JsonObject): Promise<KubernetesObject> {
  const { strategyFor } = await loadRelease(name);
  const prepared = strategyFor(pods).prepareForCreate(await decoded(name, manifest), contextWith());
  if (!prepared.ok) throw new Error(prepared.status.message);
  return prepared.value;
}

const ofSpec = (object: KubernetesObject): unknown => asObject(object['spec'])['resources'];

const container = (resources: JsonObject): JsonObject => ({ name: 'c', image: 'i', resources });
const plain = container({});
const requesting = container({ requests: { cpu: '1' } });
const limited = container({ limits: { cpu: '1', 'hugepages-2Mi': '2Mi' } });

// kubernetes pkg/api/pod/util.go DefaultPodLevelResources of 1.37, pkg/apis/core/v1/defaults.go of 1.36.
test.each<readonly [what: string, spec: JsonObject, in137: JsonObject, in136: JsonObject]>([
  [
    'limits alone: requests are those of the containers, or the limits',
    { containers: [requesting], resources: { limits: { cpu: '2', memory: '1Gi' } } },
    { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } },
    { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } },
  ],
  [
    'requests alone: limits are those of the containers',
    { containers: [limited], resources: { requests: { memory: '1Gi' } } },
    {
      limits: { cpu: '1', 'hugepages-2Mi': '2Mi' },
      requests: { memory: '1Gi', cpu: '1', 'hugepages-2Mi': '2Mi' },
    },
    { limits: { 'hugepages-2Mi': '2Mi' }, requests: { memory: '1Gi', cpu: '1', 'hugepages-2Mi': '2Mi' } },
  ],
  [
    'a request above the limits of the containers is the limit',
    { containers: [limited], resources: { requests: { cpu: '3' } } },
    { limits: { cpu: '3', 'hugepages-2Mi': '2Mi' }, requests: { cpu: '3', 'hugepages-2Mi': '2Mi' } },
    { limits: { 'hugepages-2Mi': '2Mi' }, requests: { cpu: '3', 'hugepages-2Mi': '2Mi' } },
  ],
  [
    'a container without limit: no limit',
    { containers: [limited], initContainers: [plain], resources: { requests: { cpu: '3' } } },
    { limits: { 'hugepages-2Mi': '2Mi' }, requests: { cpu: '3', 'hugepages-2Mi': '2Mi' } },
    { limits: { 'hugepages-2Mi': '2Mi' }, requests: { cpu: '3', 'hugepages-2Mi': '2Mi' } },
  ],
  ['empty resources stay empty', { containers: [limited], resources: {} }, {}, {}],
])('%s', async (_what, spec, in137, in136) => {
  expect(ofSpec(await created('1.37', pod(spec)))).toEqual(in137);
  expect(ofSpec(await created('1.36', pod(spec)))).toEqual(in136);
});

test('1.37 leaves them to the strategy: admission sees what the client sent', async () => {
  const sent = pod({ containers: [requesting], resources: { limits: { cpu: '2' } } });
  expect(ofSpec(await decoded('1.37', sent))).toEqual({ limits: { cpu: '2' } });
  expect(ofSpec(await decoded('1.36', sent))).toEqual({ limits: { cpu: '2' }, requests: { cpu: '1' } });
});

// kubernetes pkg/apis/core/v1/helper/qos/qos.go of both releases.
test.each<readonly [spec: JsonObject, in137: string, in136: string]>([
  [{ containers: [requesting], resources: {} }, 'Burstable', 'BestEffort'],
  [{ containers: [plain], resources: {} }, 'BestEffort', 'BestEffort'],
  [{ containers: [requesting], resources: { limits: { cpu: '1', memory: '1Gi' } } }, 'Guaranteed', 'Guaranteed'],
  [
    { containers: [container({ limits: { cpu: '1', memory: '1Gi' } })], resources: { requests: { cpu: '1' } } },
    'Guaranteed',
    'Burstable',
  ],
])('%j: %s, in 1.36 %s', async (spec, in137, in136) => {
  expect((await created('1.37', pod(spec)))['status']).toEqual({ phase: 'Pending', qosClass: in137 });
  expect((await created('1.36', pod(spec)))['status']).toEqual({ phase: 'Pending', qosClass: in136 });
});

async function updated(
  name: string,
  manifest: JsonObject,
  oldManifest: JsonObject,
  subresource: string,
): Promise<KubernetesObject> {
  const { strategyFor } = await loadRelease(name);
  const [object, old] = [await decoded(name, manifest), await decoded(name, oldManifest)];
  const prepared = strategyFor(pods).prepareForUpdate(object, old, subresource, contextWith());
  if (!prepared.ok) throw new Error(prepared.status.message);
  return prepared.value;
}

const whole = { limits: { cpu: '2' }, requests: { cpu: '1' } };

// kubernetes pkg/registry/core/pod/strategy.go PrepareForUpdate of 1.37.
test.each<readonly [subresource: string, sent: JsonObject | undefined, in137: unknown, in136: unknown]>([
  ['', undefined, whole, undefined],
  ['resize', undefined, whole, undefined],
  ['resize', { requests: { cpu: '3' } }, { requests: { cpu: '3' } }, { requests: { cpu: '3' } }],
  [
    'resize',
    { requests: { memory: '1Gi' } },
    { requests: { cpu: '1', memory: '1Gi' } },
    { requests: { memory: '1Gi' } },
  ],
])('an update of /%s with the resources %j', async (subresource, sent, in137, in136) => {
  const old = pod({ containers: [requesting], resources: whole });
  const now = pod({ containers: [requesting], ...(sent && { resources: sent }) });
  expect(ofSpec(await updated('1.37', now, old, subresource))).toEqual(in137);
  expect(ofSpec(await updated('1.36', now, old, subresource))).toEqual(in136);
});

test('an update of the object keeps the old status', async () => {
  const [now, old] = [
    pod({ containers: [plain] }, { phase: 'Failed' }),
    pod({ containers: [plain] }, { phase: 'Running' }),
  ];
  expect(await updated('1.37', now, old, '')).toMatchObject({ status: { phase: 'Running' } });
});

// kubernetes pkg/registry/core/pod/strategy.go podStatusStrategy.PrepareForUpdate of 1.37.
test('a status without claim statuses keeps the old ones, an empty list removes them', async () => {
  const statuses = [{ name: 'a', resourceClaimName: 'b' }];
  const old = pod({ containers: [plain] }, { resourceClaimStatuses: statuses });
  const claims = async (name: string, status: JsonObject): Promise<unknown> =>
    asObject((await updated(name, pod({ containers: [plain] }, status), old, 'status'))['status'])[
      'resourceClaimStatuses'
    ];
  expect(await claims('1.37', { phase: 'Running' })).toEqual(statuses);
  expect(await claims('1.37', { resourceClaimStatuses: [] })).toEqual([]);
  expect(await claims('1.36', { phase: 'Running' })).toBeUndefined();
});
