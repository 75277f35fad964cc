import { expect, test } from 'vitest';
import { alwaysPullImages } from '../../../../src/apiserver/admission/plugins/always-pull-images.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import type { JsonObject, JsonValue } from '../../../../src/machinery/json/json.ts';
import { clusterOf, creatingPod, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const container = { name: 'c', image: 'a', imagePullPolicy: 'Never' };
const containers = { containers: [container] };
const volume = (image: JsonObject): JsonObject => ({
  volumes: [
    { name: 'v', emptyDir: {} },
    { name: 'w', image },
  ],
});
const updated = creatingPod(containers, {
  operation: 'UPDATE',
  oldObject: object('v1', 'Pod', 'p', { spec: containers }),
});

// Source: kubernetes plugin/pkg/admission/alwayspullimages/admission_test.go, facts p-alwayspull-*
test.each<[fact: string, request: AdmissionAttributes, spec: JsonValue]>([
  ['each container', creatingPod(containers), { containers: [{ ...container, imagePullPolicy: 'Always' }] }],
  ['the image of a volume', creatingPod(volume({ pullPolicy: 'Never' })), volume({ pullPolicy: 'Always' })],
  ['not an update without a new image', updated, containers],
])('sets the policy of %s', (_fact, request, spec) => {
  expect(outcomeOf(alwaysPullImages, 'mutate', { request, cluster: clusterOf({}), path: ['spec'] })).toEqual(spec);
});

const unsupported = (field: string, value: string): string =>
  `pods "p" is forbidden: spec.${field}: Unsupported value: "${value}": supported values: "Always"`;
const [first, second] = [
  unsupported('initContainers[0].imagePullPolicy', ''),
  unsupported('containers[0].imagePullPolicy', 'Never'),
];

test.each<[fact: string, spec: JsonObject, message: string | undefined]>([
  ['another policy', containers, second],
  ['several, as one error', { ...containers, initContainers: [{ image: 'b' }] }, `[${first}, ${second}]`],
  ['not a volume with the policy', volume({ pullPolicy: 'Always' }), undefined],
  [
    'a volume with another policy',
    volume({ pullPolicy: 'Never' }),
    unsupported('volumes[1].image.pullPolicy', 'Never'),
  ],
])('denies %s', (_fact, spec, message) => {
  const request = creatingPod(spec);
  expect(outcomeOf(alwaysPullImages, 'validate', { request, cluster: clusterOf({}), path: ['none'] })).toBe(message);
});
