import { expect, test } from 'vitest';
import {
  nodeDeclaredFeatureValidator,
  podResizeValidator,
} from '../../../../src/apiserver/admission/plugins/bound-pod-plugins.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { type KubernetesObject, withMetadata } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, portsOf, refusalOf } from '../../../harness/builtin-plugin.ts';

const pod = (generation: number, spec: JsonObject): KubernetesObject =>
  withMetadata(object('v1', 'Pod', 'p', { spec: { nodeName: 'n', ...spec } }), { generation });
const requests = (cpu: string, memory = '1Gi'): JsonObject => ({ resources: { requests: { cpu, memory } } });
const updating = (spec: JsonObject, old: JsonObject, subresource = 'resize', generation = 2): AdmissionAttributes =>
  creating(pod(generation, spec), 'pods', { operation: 'UPDATE', subresource, oldObject: pod(1, old) });
const node = (status: JsonObject, os?: string): KubernetesObject =>
  withMetadata(object('v1', 'Node', 'n', { status }), os === undefined ? {} : { labels: { 'kubernetes.io/os': os } });
const refusal = 'pods "p" is forbidden: ';
const [small, large] = [requests('100m'), requests('3', '3Gi')];

// Source: kubernetes plugin/pkg/admission/nodedeclaredfeatures/admission_test.go, component-helpers nodedeclaredfeatures
test.each<
  [fact: string, request: AdmissionAttributes, nodes: readonly KubernetesObject[], message: string | undefined]
>([
  [
    'resources of the whole Pod need a feature',
    updating(large, small),
    [node({})],
    'pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "n"',
  ],
  [
    'which the node declares',
    updating(large, small),
    [node({ declaredFeatures: ['InPlacePodLevelResourcesVerticalScaling'] })],
    undefined,
  ],
  ['a node that is not there', updating(large, small), [], 'node "n" not found'],
  ['what changes no spec', updating(large, small, '', 1), [], undefined],
  ['another endpoint', updating(large, small, 'status'), [], undefined],
  ['a Pod on no node', updating({ ...large, nodeName: '' }, small), [], undefined],
  [
    'init containers need another',
    updating({ ...large, initContainers: [requests('2')] }, { ...small, initContainers: [requests('1')] }, ''),
    [node({})],
    'pod update requires features InPlacePodLevelResourcesVerticalScaling, InPlacePodVerticalScalingInitContainers which are not available on node "n"',
  ],
  [
    'sidecars need none',
    updating(
      { initContainers: [{ restartPolicy: 'Always', ...large }] },
      { initContainers: [{ restartPolicy: 'Always', ...small }] },
    ),
    [],
    undefined,
  ],
])('declared features: %s', (_fact, request, nodes, message) => {
  const answer = nodeDeclaredFeatureValidator.validate?.(request, portsOf(clusterOf({ nodes })));
  expect(refusalOf(answer)?.message).toBe(message && refusal + message);
});

const container = (cpu: string, memory?: string): JsonObject => ({ containers: [requests(cpu, memory)] });
const roomy = { allocatable: { cpu: '2', memory: '4Gi' } };

// Source: kubernetes plugin/pkg/admission/podresize/admission_test.go
test.each<
  [
    fact: string,
    request: AdmissionAttributes,
    nodes: readonly KubernetesObject[],
    message: string | undefined,
    cause?: string,
  ]
>([
  ['as much as there is', updating(container('2', '4Gi'), container('1')), [node(roomy)], undefined],
  [
    'more than there is',
    updating(container('3', '5Gi'), container('1')),
    [node(roomy, 'linux')],
    "node didn't have enough allocatable resources: cpu, requested: 3000, allocatable: 2000; memory, requested: 5368709120, allocatable: 4294967296",
    'NodeCapacity',
  ],
  [
    'Windows',
    updating(container('1'), container('2')),
    [node(roomy, 'windows')],
    'pod resize is only supported on linux nodes, node "n" is "windows"',
    'UnsupportedPlatform',
  ],
  ['a node that is not there', updating(container('1'), container('2')), [], 'node "n" not found'],
  ['an update that is no resize', updating(container('9'), container('1'), ''), [], undefined],
])('resize: %s', (_fact, ...[request, nodes, message, cause]) => {
  const answer = podResizeValidator.validate?.(request, portsOf(clusterOf({ nodes })));
  expect(refusalOf(answer)?.message).toBe(message && refusal + message);
  const causes = refusalOf(answer)?.details?.causes;
  expect(causes?.map(({ reason }) => reason)).toEqual(cause && [cause]);
});
