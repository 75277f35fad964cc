import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import {
  controllerUpdateWarnings,
  podWarnings,
  templateUpdateWarnings,
} from '../../../../src/api/validation/core/pod-warnings.ts';
import { decoded, type Manifest } from '../../strategy/write.ts';

const pod = (name: string, spec: Manifest, container: Manifest = {}): KubernetesObject =>
  decoded({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
  });

/** Follows kubernetes pkg/api/pod/warnings.go and pkg/registry/core/pod/strategy.go. */
test.each<readonly [string, KubernetesObject, readonly string[]]>([
  ['nothing is wrong', pod('p', {}), []],
  [
    'a name that is no host name',
    pod('a.b', {}),
    [
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ],
  ],
  [
    'a deprecated label',
    pod('p', { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'a variable set twice',
    pod(
      'p',
      {},
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
    ),
    ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  [
    'a variable that builds on itself',
    pod(
      'p',
      {},
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '$(A):2' },
        ],
      },
    ),
    [],
  ],
  [
    'names and addresses given twice',
    pod('p', {
      imagePullSecrets: [{ name: 'a' }, { name: 'a' }],
      hostAliases: [{ ip: '1.1.1.1' }, { ip: '1.1.1.1' }],
    }),
    ['spec.hostAliases[1].ip: duplicate ip "1.1.1.1"', 'spec.imagePullSecrets[1].name: duplicate name "a"'],
  ],
  [
    'a port name in two containers',
    pod('p', {
      initContainers: [{ name: 'i', image: 'i', ports: [{ containerPort: 1, name: 'web' }] }],
      containers: [
        { name: 'a', image: 'i', ports: [{ containerPort: 2, name: 'web' }, { containerPort: 3 }] },
        { name: 'b', image: 'i', ports: [{ containerPort: 4, name: 'other' }, { containerPort: 5 }] },
      ],
    }),
    [
      'spec.containers[0].ports[0]: duplicate port name "web" with spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.initContainers[0].ports[0]',
    ],
  ],
  [
    'ports of two containers',
    pod('p', {
      containers: [
        { name: 'a', image: 'i', ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 1 }] },
        {
          name: 'b',
          image: 'i',
          ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 1, hostIP: '1.1.1.1' }],
        },
        { name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 2 }] },
      ],
    }),
    [
      'spec.containers[1].ports[0]: duplicate port definition with spec.containers[0].ports[0]',
      'spec.containers[1].ports[1]: dangerously ambiguous port definition with spec.containers[0].ports[1]',
      'spec.containers[2].ports[0]: overlapping port definition with spec.containers[0].ports[0]',
      'spec.containers[2].ports[0]: overlapping port definition with spec.containers[1].ports[0]',
    ],
  ],
  [
    'an address without its port',
    pod('p', {}, { ports: [{ name: 'x', containerPort: 80, hostIP: '1.1.1.1' }] }),
    [
      'spec.containers[0].ports[0]: hostIP set without hostPort: {Name:x HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.1.1.1}',
    ],
  ],
  [
    'wishes that match nothing or by old labels',
    pod('p', {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'failure-domain.beta.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
      ],
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'x' }] } },
    }),
    [
      'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
      'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
    ],
  ],
  [
    'an old volume',
    pod('p', { volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] }),
    ['spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+'],
  ],
  [
    'half a byte',
    pod('p', {}, { resources: { limits: { memory: '500m' } } }),
    [
      'spec.containers[0].resources.limits[memory]: fractional byte value "500m" is invalid, must be an integer',
      'spec.containers[0].resources.requests[memory]: fractional byte value "500m" is invalid, must be an integer',
    ],
  ],
])('%s', (_sentence, object, warnings) => {
  expect(podWarnings(object)).toEqual(warnings);
});

// Follows pkg/registry/core/replicationcontroller/strategy.go: old and new are taken for each other.
test('a changed ReplicationController is warned of what it was, others of what they are', () => {
  const of = (generation: number, grace: number): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name: 'r', generation },
    spec: { template: { spec: { terminationGracePeriodSeconds: grace, containers: [] } } },
  });
  const text =
    'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1';
  expect(controllerUpdateWarnings(of(2, 1), of(1, -1))).toEqual([text]);
  expect(controllerUpdateWarnings(of(2, -1), of(1, 1))).toEqual([]);
  expect(controllerUpdateWarnings(of(1, -1), of(1, -1))).toEqual([]);
  expect(templateUpdateWarnings(of(2, -1), of(1, 1))).toEqual([text]);
});
