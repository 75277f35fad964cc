import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/apimachinery/object.ts';
import { podWarnings } from '../../../src/schema/validate/pod-warnings.ts';
import { decoded } from '../strategy/write.ts';
import type { Manifest } from '../strategy/write.ts';

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
