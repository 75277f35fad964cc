import { expect, test } from 'vitest';
import { asList, asObject } from '../../../src/machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../src/machinery/meta/object.ts';
import { defaultEach, structDefaults } from '../../../src/api/codec/defaults/struct-defaults.ts';
import type { Container, Pod, PodSpec, Probe } from '../../../src/api/types/generated/core-v1.ts';

const object: KubernetesObject = {
  kind: 'Pod',
  apiVersion: 'v1',
  spec: { nodeName: 'a', containers: [{ name: 'c' }] },
};

// Checked by `npm run typecheck`: each of these lines must be a mistake.
test('a misspelt field does not compile', () => {
  const pod: Pod = object;
  const spec = asObject(pod.spec);
  const read = [
    // @ts-expect-error: it is spec
    pod.spce,
    // @ts-expect-error: it is nodeName, also as a text
    spec['nodeNam'],
    // @ts-expect-error: it is containers[].name
    asList(spec.containers).map(({ nam }) => nam)[0],
    // @ts-expect-error: it is generateName, of every object
    metadataOf(object).generatedName,
    // @ts-expect-error: what has no type is read as a text
    object.spec,
  ];
  expect(read).toEqual([undefined, undefined, undefined, undefined, object['spec']]);
});

test('a default of a field that is not there does not compile', () => {
  const container = structDefaults<Container>({ imagePullPolicy: 'Always' });
  const wrong = [
    // @ts-expect-error: it is restartPolicy
    structDefaults<PodSpec>({ restartPolicies: 'Always' }),
    // @ts-expect-error: it is a text
    structDefaults<PodSpec>({ restartPolicy: 1 }),
    // @ts-expect-error: containers are no probes
    structDefaults<PodSpec>({ containers: defaultEach(structDefaults<Probe>({ periodSeconds: 10 })) }),
    // @ts-expect-error: of what?
    structDefaults({ restartPolicy: 'Always' }),
  ];
  expect(wrong).toHaveLength(4);
  expect(structDefaults<PodSpec>({ containers: defaultEach(container) })({ containers: [{}] })).toEqual({
    containers: [{ imagePullPolicy: 'Always' }],
  });
});
