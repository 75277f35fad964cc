import { expect, test } from 'vitest';
import { createWorld } from '../../../src/app/library/create-world.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';

test.each([
  ['1.33', ', Kubernetes v1.33.0'],
  ['v1.34.2', ', Kubernetes v1.34.2'],
  ['1.36', ''],
  [undefined, ''],
])('an explanation under %s ends with the release it is about, unless it is the usual one', async (asked, end) => {
  const world = await createWorld({ controllers: [], ...(asked === undefined ? {} : { kubernetesVersion: asked }) });
  try {
    await world.client.request({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } },
    });
    const trace = world.traces.last();
    expect(trace && renderExplanation(trace).split('\n').at(-1)).toBe(`trace ${trace?.id}${end}`);
  } finally {
    await world.close();
  }
});
