import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import {
  claimWarnings,
  endpointSliceWarnings,
  nodeWarnings,
  quotaWarnings,
  runtimeClassWarnings,
  storageCapacityWarnings,
  storageClassWarnings,
  volumeWarnings,
} from '../../../src/api/strategy/warnings.ts';

const warnings = {
  claimWarnings,
  endpointSliceWarnings,
  nodeWarnings,
  quotaWarnings,
  runtimeClassWarnings,
  storageCapacityWarnings,
  storageClassWarnings,
  volumeWarnings,
};

const storageClass = 'volume.beta.kubernetes.io/storage-class';
const oldClass = `metadata.annotations[${storageClass}]: deprecated since v1.8; use "storageClassName" attribute instead`;

// Source: kube-apiserver v1.36.2 warns so.
test.each<[of: keyof typeof warnings, fields: JsonObject, expected: readonly string[]]>([
  ['claimWarnings', {}, []],
  ['claimWarnings', { metadata: { annotations: { [storageClass]: 'x' } } }, [oldClass]],
  [
    'claimWarnings',
    { spec: { resources: { requests: { storage: '1500m' }, limits: { storage: '2' } } } },
    ['spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer'],
  ],
  ['volumeWarnings', { spec: { glusterfs: {} } }, ['spec.glusterfs: deprecated in v1.25, non-functional in v1.26+']],
  ['volumeWarnings', { spec: { hostPath: {}, persistentVolumeReclaimPolicy: 'Retain' } }, []],
  [
    'storageClassWarnings',
    { allowedTopologies: [{ matchLabelExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone' }] }] },
    [
      'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ],
  ],
  [
    'storageCapacityWarnings',
    {
      nodeTopology: {
        matchLabels: { 'beta.kubernetes.io/arch': 'a' },
        matchExpressions: [{ key: 'beta.kubernetes.io/instance-type' }],
      },
    },
    [
      'nodeTopology.matchExpressions[0].key: beta.kubernetes.io/instance-type is deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
      'nodeTopology.matchLabels.beta.kubernetes.io/arch: deprecated since v1.14; use "kubernetes.io/arch" instead',
    ],
  ],
  [
    'runtimeClassWarnings',
    { scheduling: { nodeSelector: { 'beta.kubernetes.io/arch': 'a', other: 'b' } } },
    ['scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ],
  ['endpointSliceWarnings', { addressType: 'FQDN' }, ['spec.addressType: FQDN endpoints are deprecated']],
  ['endpointSliceWarnings', { addressType: 'IPv4' }, []],
  [
    'nodeWarnings',
    { spec: { externalID: 'x', configSource: {} } },
    [
      'spec.configSource: the feature is removed',
      'spec.externalID: this field is deprecated, and is unused by Kubernetes',
    ],
  ],
  [
    'quotaWarnings',
    { spec: { hard: { cpu: '2', 'limits.cpu': '1', 'requests.memory': '1Gi', 'limits.memory': '1Gi' } } },
    ['ResourceQuota cpu (2) should be less than limits.cpu (1)'],
  ],
])('%s of %j', (of, fields, expected) => {
  expect(warnings[of]({ kind: 'K', apiVersion: 'v1', metadata: {}, ...fields })).toEqual(expected);
});
