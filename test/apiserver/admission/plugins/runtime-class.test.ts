import { expect, test } from 'vitest';
import { runtimeClass } from '../../../../src/apiserver/admission/plugins/runtime-class.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { clusterOf, creating, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const toleration = { key: 'k', operator: 'Exists' };
const cluster = clusterOf({
  'runtimeclasses.node.k8s.io': [
    object('node.k8s.io/v1', 'RuntimeClass', 'heavy', {
      handler: 'h',
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [toleration] },
    }),
    object('node.k8s.io/v1', 'RuntimeClass', 'light', { handler: 'h' }),
  ],
});
const pod = (spec: JsonObject): AdmissionAttributes => creating(object('v1', 'Pod', 'p', { spec }), 'pods');
const mismatch = `pods "p" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead`;

// Source: kubernetes plugin/pkg/admission/runtimeclass/admission_test.go and the recorded conversation
// plugins-runtimeclass
const mutations: readonly [fact: string, request: AdmissionAttributes, outcome: unknown][] = [
  ['a pod without class is left alone', pod({}), {}],
  ['a class that says nothing changes nothing', pod({ runtimeClassName: 'light' }), { runtimeClassName: 'light' }],
  [
    'overhead and scheduling come from the class',
    pod({ runtimeClassName: 'heavy' }),
    {
      runtimeClassName: 'heavy',
      nodeSelector: { a: 'b' },
      tolerations: [toleration],
      overhead: { cpu: '100m' },
    },
  ],
  [
    'the class must exist',
    pod({ runtimeClassName: 'nosuch' }),
    'pods "p" is forbidden: pod rejected: RuntimeClass "nosuch" not found',
  ],
  ['no request asks for a class without a name', pod({ runtimeClassName: '' }), 'resource name may not be empty'],
  [
    'nor for one that is no part of a path',
    pod({ runtimeClassName: 'a/b' }),
    'invalid resource name "a/b": [may not contain \'/\']',
  ],
  ['the overhead cannot be another', pod({ runtimeClassName: 'heavy', overhead: { cpu: '200m' } }), mismatch],
  [
    'the same amount in other words is the same',
    pod({ runtimeClassName: 'heavy', overhead: { cpu: '0.1' } }),
    {
      runtimeClassName: 'heavy',
      nodeSelector: { a: 'b' },
      tolerations: [toleration],
      overhead: { cpu: '100m' },
    },
  ],
  [
    'node selectors must agree',
    pod({ runtimeClassName: 'heavy', nodeSelector: { a: 'c' } }),
    'pods "p" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[a] = b; pod.spec.nodeSelector[a] = c',
  ],
];
test.each(mutations)('%s', (_fact, request, outcome) => {
  expect(outcomeOf(runtimeClass, 'mutate', { request, cluster, path: ['spec'] })).toEqual(outcome);
});

const validations: readonly [fact: string, request: AdmissionAttributes, message: string | undefined][] = [
  [
    'a pod with the overhead of its class passes',
    pod({ runtimeClassName: 'heavy', overhead: { cpu: '100m' } }),
    undefined,
  ],
  ['a webhook cannot change the overhead', pod({ runtimeClassName: 'heavy', overhead: { cpu: '1' } }), mismatch],
  [
    'overhead needs a class',
    pod({ overhead: { cpu: '1' } }),
    'pods "p" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  ],
];
test.each(validations)('%s', (_fact, request, message) => {
  expect(outcomeOf(runtimeClass, 'validate', { request, cluster, path: ['none'] })).toBe(message);
});
