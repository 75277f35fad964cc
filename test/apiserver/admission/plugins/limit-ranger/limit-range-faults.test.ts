import { expect, test } from 'vitest';
import { claimFaults, podFaults } from '../../../../../src/apiserver/admission/plugins/limit-ranger/limit-ranger.ts';
import type { JsonObject } from '../../../../../src/machinery/json/json.ts';

const pod = (requests: JsonObject, limits: JsonObject): JsonObject => ({
  name: 'c',
  image: 'i',
  resources: { requests, limits },
});
const faults = (limit: JsonObject, ...containers: readonly JsonObject[]): readonly string[] =>
  podFaults({ type: 'Container', ...limit }, { containers: containers.map((one) => ({ name: 'c', ...one })) });

const min = 'minimum cpu usage per Container is 100m';
const max = 'maximum cpu usage per Container is 1';
const ratio = 'cpu max limit to request ratio per Container is 2';

// Source: kubernetes plugin/pkg/admission/limitranger/admission_test.go TestPodLimitFunc
test.each<[limit: JsonObject, requests: JsonObject, limits: JsonObject, faults: readonly string[]]>([
  [{ min: { cpu: '100m' } }, { cpu: '100m' }, {}, []],
  [{ min: { cpu: '100m' } }, { cpu: '0.1' }, { cpu: '100m' }, []],
  [{ min: { cpu: '100m' } }, { cpu: '99m' }, {}, [`${min}, but request is 99m`]],
  [{ min: { cpu: '100m' } }, {}, {}, [`${min}.  No request is specified`]],
  [{ min: { cpu: '100m' } }, { cpu: '100m' }, { cpu: '99m' }, [`${min}, but limit is 99m`]],
  [{ max: { cpu: '1' } }, {}, { cpu: '1' }, []],
  [{ max: { cpu: '1' } }, { cpu: '1' }, { cpu: '1' }, []],
  [{ max: { cpu: '1' } }, {}, { cpu: '1001m' }, [`${max}, but limit is 1001m`]],
  [{ max: { cpu: '1' } }, {}, {}, [`${max}.  No limit is specified`]],
  [{ max: { cpu: '1' } }, { cpu: '2' }, { cpu: '1' }, [`${max}, but request is 2`]],
  [{ maxLimitRequestRatio: { cpu: '2' } }, { cpu: '1' }, { cpu: '2' }, []],
  [
    { maxLimitRequestRatio: { cpu: '2' } },
    { cpu: '1' },
    { cpu: '2001m' },
    [`${ratio}, but provided ratio is 2.001000`],
  ],
  [{ maxLimitRequestRatio: { cpu: '2' } }, {}, { cpu: '2' }, [`${ratio}, but no request is specified or request is 0`]],
  [
    { maxLimitRequestRatio: { cpu: '2' } },
    { cpu: '0' },
    { cpu: '2' },
    [`${ratio}, but no request is specified or request is 0`],
  ],
  [{ maxLimitRequestRatio: { cpu: '2' } }, { cpu: '1' }, {}, [`${ratio}, but no limit is specified or limit is 0`]],
  [
    { min: { cpu: '100m' }, max: { cpu: '1' } },
    { cpu: '1m' },
    { cpu: '2' },
    [`${min}, but request is 1m`, `${max}, but limit is 2`],
  ],
])('of %j a container that requests %j within %j', (limit, requests, limits, found) => {
  expect(faults(limit, pod(requests, limits))).toEqual(found);
});

test('each container is looked at, init containers too; other types are not asked', () => {
  const limit = { type: 'Container', max: { cpu: '1' } };
  const spec = { containers: [{ name: 'a' }, { name: 'b' }], initContainers: [{ name: 'i' }] };
  expect(podFaults(limit, spec)).toHaveLength(3);
  expect(podFaults({ ...limit, type: 'PersistentVolumeClaim' }, spec)).toEqual([]);
});

const ofPod = 'maximum cpu usage per Pod is 2';

test.each<[resources: JsonObject | undefined, faults: readonly string[]]>([
  [undefined, [`${ofPod}, but limit is 3`]],
  [{ limits: { cpu: '2' } }, []],
  [{ limits: { cpu: '2' }, requests: { cpu: '3' } }, [`${ofPod}, but request is 3`]],
  [{ limits: { memory: '1' } }, [`${ofPod}, but limit is 3`]],
])('what is said for the whole Pod counts for more than the sum: %j', (resources, found) => {
  const containers = ['1', '2'].map((cpu) => ({ name: cpu, resources: { limits: { cpu, memory: '1Gi' } } }));
  const spec = { containers, ...(resources && { resources }) };
  expect(podFaults({ type: 'Pod', max: { cpu: '2' } }, spec)).toEqual(found);
});

test.each<[type: string, storage: string | undefined, faults: readonly string[]]>([
  ['PersistentVolumeClaim', '1Gi', []],
  ['PersistentVolumeClaim', '2Gi', []],
  [
    'PersistentVolumeClaim',
    '1023Mi',
    ['minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1023Mi'],
  ],
  [
    'PersistentVolumeClaim',
    '2049Mi',
    ['maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 2049Mi'],
  ],
  [
    'PersistentVolumeClaim',
    undefined,
    [
      'minimum storage usage per PersistentVolumeClaim is 1Gi.  No request is specified',
      'maximum storage usage per PersistentVolumeClaim is 2Gi.  No request is specified',
    ],
  ],
  ['Container', '1', []],
])('of a limit of %s a claim of %s', (type, storage, found) => {
  const requests = storage === undefined ? {} : { storage };
  const limit = { type, min: { storage: '1Gi' }, max: { storage: '2Gi' } };
  expect(claimFaults(limit, { resources: { requests } })).toEqual(found);
});
