import { expect, test } from 'vitest';
import { withMetadata } from '../../../../src/machinery/meta/object.ts';
import { accepted, create, decoded, update } from '../../strategy/write.ts';

const container = (name: string, requests?: object, limits?: object, more: object = {}) => ({
  name,
  image: 'i',
  resources: { ...(requests ? { requests } : {}), ...(limits ? { limits } : {}) },
  ...more,
});
const pod = (...containers: readonly object[]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers },
});
const small = { cpu: '1', memory: '1Gi' };
const large = { cpu: '2', memory: '2Gi' };

/** Answers of kube-apiserver v1.36.2. */
test.each([
  ['more of a processor', container('c', { ...small, cpu: '2' }, large), ''],
  [
    'a limit that goes',
    container('c', small, { memory: '2Gi' }),
    'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
  ],
  [
    'limits that become requests',
    container('c', small, small),
    'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
  ],
  [
    'something else that is counted',
    container('c', { ...small, 'example.com/x': '1' }, { ...large, 'example.com/x': '1' }),
    'spec: Forbidden: only cpu and memory resources are mutable',
  ],
  [
    'another name',
    container('d', small, large),
    'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
  ],
])('%s', (_change, next, problem) => {
  const old = withMetadata(accepted(create(decoded(pod(container('c', small, large))))), { resourceVersion: '1' });
  const asked = { ...old, spec: { ...(decoded(pod(next))['spec'] as object) } };
  const result = update(decoded(asked), old, 'resize');
  expect(typeof result === 'string' ? result : '').toBe(problem === '' ? '' : `Pod "p" is invalid: ${problem}`);
});

test('one container more', () => {
  const old = withMetadata(accepted(create(decoded(pod(container('c', small, large))))), { resourceVersion: '1' });
  const asked = { ...old, spec: pod(container('c', small, large), container('d', small, large)).spec };
  expect(update(decoded(asked), old, 'resize')).toBe(
    'Pod "p" is invalid: spec.containers: Forbidden: containers may not be added or removed on resize',
  );
});
