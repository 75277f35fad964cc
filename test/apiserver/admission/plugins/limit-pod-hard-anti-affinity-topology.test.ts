import { expect, test } from 'vitest';
import { limitPodHardAntiAffinityTopology } from '../../../../src/apiserver/admission/plugins/limit-pod-hard-anti-affinity-topology.ts';
import { clusterOf, creatingPod, outcomeOf } from '../../../harness/builtin-plugin.ts';

// Source: kubernetes plugin/pkg/admission/antiaffinity/admission_test.go
test.each([
  ['kubernetes.io/hostname', undefined],
  [
    'zone',
    'pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
  ],
])('required anti-affinity over %s', (topologyKey, message) => {
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] };
  const options = { request: creatingPod({ affinity: { podAntiAffinity } }), cluster: clusterOf({}), path: ['none'] };
  expect(outcomeOf(limitPodHardAntiAffinityTopology, 'validate', options)).toBe(message);
});
