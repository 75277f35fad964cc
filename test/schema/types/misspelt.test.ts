import { expect, test } from 'vitest';
import { asList, asObject } from '../../../src/apimachinery/json.ts';
import type { KubernetesObject } from '../../../src/apimachinery/object.ts';
import type { Pod } from '../../../src/schema/generated/core-v1.ts';

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
    // @ts-expect-error: what has no type is read as a text
    object.spec,
  ];
  expect(read).toEqual([undefined, undefined, undefined, object['spec']]);
});
