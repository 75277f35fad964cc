import { expect, test } from 'vitest';
import { limitRanger } from '../../../../../src/apiserver/admission/plugins/limit-ranger/limit-ranger.ts';
import type { AdmissionAttributes } from '../../../../../src/apiserver/admission/chain/attributes.ts';
import type { JsonObject } from '../../../../../src/machinery/json/json.ts';
import { withMetadata } from '../../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, outcomeOf } from '../../../../harness/builtin-plugin.ts';

const clusterWith = (...limits: readonly JsonObject[]): ReturnType<typeof clusterOf> =>
  clusterOf({
    limitranges: [withMetadata(object('v1', 'LimitRange', 'lr', { spec: { limits } }), { namespace: 'ns' })],
  });
const container = (name: string, resources: JsonObject): JsonObject => ({ name, resources });
const pod = (...containers: readonly JsonObject[]): AdmissionAttributes =>
  creating(object('v1', 'Pod', 'a', { spec: { containers } }), 'pods');

const defaults = clusterWith({
  type: 'Container',
  default: { cpu: '500m', memory: '256Mi' },
  defaultRequest: { cpu: '100m', memory: '256Mi' },
});
const note = ['metadata', 'annotations', 'kubernetes.io/limit-ranger'];

// Source: kubernetes plugin/pkg/admission/limitranger/admission_test.go and the recorded conversation
// plugins-limitranger-defaults
const mutations: readonly [fact: string, request: AdmissionAttributes, path: readonly string[], outcome: unknown][] = [
  [
    'a container gets what it leaves out',
    pod(container('c', {})),
    ['spec', 'containers'],
    [
      container('c', {
        limits: { cpu: '500m', memory: '256Mi' },
        requests: { cpu: '100m', memory: '256Mi' },
      }),
    ],
  ],
  [
    'and the pod a note of it',
    pod(container('c', {})),
    note,
    'LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c',
  ],
  [
    'what it says stays',
    pod(container('c', { limits: { cpu: '1' }, requests: { cpu: '1' } })),
    note,
    'LimitRanger plugin set: memory request for container c; memory limit for container c',
  ],
  [
    'a complete pod gets no note',
    pod(container('c', { limits: { cpu: '1', memory: '1' }, requests: { cpu: '1', memory: '1' } })),
    note,
    undefined,
  ],
  [
    'init containers follow',
    creating(object('v1', 'Pod', 'a', { spec: { containers: [], initContainers: [container('i', {})] } }), 'pods'),
    note,
    'LimitRanger plugin set: cpu, memory request for init container i; cpu, memory limit for init container i',
  ],
  ['updates are left alone', { ...pod(container('c', {})), operation: 'UPDATE' }, note, undefined],
];
test.each(mutations)('%s', (_fact, request, path, outcome) => {
  expect(outcomeOf(limitRanger, 'mutate', { request, cluster: defaults, path })).toEqual(outcome);
});

const strict = clusterWith(
  { type: 'Container', max: { cpu: '1' }, min: { cpu: '100m' }, maxLimitRequestRatio: { cpu: '2' } },
  { type: 'Pod', max: { memory: '1Gi' } },
  { type: 'PersistentVolumeClaim', min: { storage: '10Mi' }, max: { storage: '1Gi' } },
);
const sized = (limits: JsonObject, requests: JsonObject = limits): AdmissionAttributes =>
  pod(container('c', { limits, requests }));
const claim = (storage: string): AdmissionAttributes =>
  creating(
    object('v1', 'PersistentVolumeClaim', 'v', { spec: { resources: { requests: { storage } } } }),
    'persistentvolumeclaims',
  );
const noMemory = 'maximum memory usage per Pod is 1Gi.  No limit is specified';

// Source: the same test and the recorded conversation plugins-limitranger-violations
const validations: readonly [fact: string, request: AdmissionAttributes, message: string | undefined][] = [
  [
    'a limit may be too high',
    sized({ cpu: '2' }),
    `pods "a" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, ${noMemory}]`,
  ],
  [
    'a request may be too low',
    sized({ cpu: '50m' }),
    `pods "a" is forbidden: [minimum cpu usage per Container is 100m, but request is 50m, ${noMemory}]`,
  ],
  [
    'they may be too far apart',
    sized({ cpu: '1' }, { cpu: '200m' }),
    `pods "a" is forbidden: [cpu max limit to request ratio per Container is 2, but provided ratio is 5.000000, ${noMemory}]`,
  ],
  [
    'the sum of a pod counts',
    pod(
      container('c', { limits: { cpu: '1', memory: '600Mi' }, requests: { cpu: '1' } }),
      container('d', { limits: { cpu: '1', memory: '600Mi' }, requests: { cpu: '1' } }),
    ),
    'pods "a" is forbidden: maximum memory usage per Pod is 1Gi, but limit is 1200Mi',
  ],
  ['a pod within its limits passes', sized({ cpu: '1', memory: '1Gi' }), undefined],
  [
    'a claim may be too large',
    claim('5Gi'),
    'persistentvolumeclaims "v" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 5Gi',
  ],
  [
    'or too small',
    claim('1Mi'),
    'persistentvolumeclaims "v" is forbidden: minimum storage usage per PersistentVolumeClaim is 10Mi, but request is 1Mi',
  ],
  [
    'a resize is checked',
    { ...sized({ cpu: '1', memory: '1Gi' }), operation: 'UPDATE', subresource: 'resize' },
    undefined,
  ],
  [
    'of a pod that is being deleted it is not',
    {
      ...sized({ cpu: '9', memory: '1Gi' }),
      operation: 'UPDATE',
      subresource: 'resize',
      oldObject: withMetadata(object('v1', 'Pod', 'a'), { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    undefined,
  ],
  ['other updates of a pod are not', { ...sized({ cpu: '2' }), operation: 'UPDATE' }, undefined],
];
test.each(validations)('%s', (_fact, request, message) => {
  expect(outcomeOf(limitRanger, 'validate', { request, cluster: strict, path: ['none'] })).toBe(message);
});

// Source: the same, Validate: the first LimitRange that says no ends it
test('of several LimitRanges the first that is violated answers', () => {
  const limited = (name: string, cpu: string) =>
    withMetadata(object('v1', 'LimitRange', name, { spec: { limits: [{ type: 'Container', max: { cpu } }] } }), {
      namespace: 'ns',
    });
  const cluster = clusterOf({
    limitranges: [limited('loose', '9'), limited('tight', '1'), limited('tighter', '500m')],
  });
  expect(outcomeOf(limitRanger, 'validate', { request: sized({ cpu: '2' }), cluster, path: ['none'] })).toBe(
    'pods "a" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
  );
});
