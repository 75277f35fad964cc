import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

const world = await createTestWorld();
await world.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });

interface Sent {
  readonly annotation?: string;
  readonly container?: object;
  readonly spec?: object;
}

const key = 'container.apparmor.security.beta.kubernetes.io/c';
const deprecated = `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`;
const pod = ({ annotation, container, spec }: Sent): object => ({
  metadata: { name: 'p', ...(annotation === undefined ? {} : { annotations: { [key]: annotation } }) },
  spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
});
const refused = { container: { imagePullPolicy: 'X' } };
const profile = { appArmorProfile: { type: 'RuntimeDefault' } };

// Source: kubernetes pkg/registry/core/pod/strategy.go applyAppArmorVersionSkew, which warns before validation.
test.each<readonly [what: string, sent: Sent, code: number, warnings: readonly string[]]>([
  ['an annotation', { annotation: 'localhost/x' }, 201, [deprecated]],
  ['an annotation of a pod that is refused', { annotation: 'localhost/x', ...refused }, 422, [deprecated]],
  ['an annotation that names no profile', { annotation: 'nonsense' }, 422, [deprecated]],
  [
    'an annotation beside the field',
    { annotation: 'runtime/default', container: { securityContext: profile } },
    201,
    [],
  ],
  [
    'an annotation that says what the pod says',
    { annotation: 'runtime/default', spec: { securityContext: profile } },
    201,
    [],
  ],
  ['no annotation', refused, 422, []],
])('a pod with %s', async (_what, sent, code, warnings) => {
  const answer = await world.send('POST', '/api/v1/namespaces/default/pods?dryRun=All', pod(sent));
  expect([answer.code, answer.warnings]).toEqual([code, warnings]);
});

const fractional = (value: string): readonly string[] => [
  `spec.containers[0].resources.requests[memory]: fractional byte value "${value}" is invalid, must be an integer`,
];

// Source: apimachinery pkg/api/resource/{amount,math}.go: a product of 64 bits overflows; compared with kube-apiserver v1.36.2.
test.each<readonly [memory: string, warnings: readonly string[]]>([
  ['9223372036854776', fractional('9223372036854776')],
  ['9223372036854775', []],
  ['1E', []],
  ['10P', []],
  ['1500m', fractional('1500m')],
  ['1Gi', []],
])('a request of %s of memory', async (memory, warnings) => {
  const sent = pod({ container: { resources: { requests: { memory } } } });
  expect((await world.send('POST', '/api/v1/namespaces/default/pods?dryRun=All', sent)).warnings).toEqual(warnings);
});
