import { expect, test } from 'vitest';
import { asObject } from '../../../src/machinery/json/json.ts';
import { createWorld } from '../../../src/app/library/create-world.ts';
import type { Answer } from '../../../src/app/library/client.ts';

async function ask(kubernetesVersion: string | undefined, path: string): Promise<Answer> {
  const world = await createWorld({
    controllers: [],
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
  });
  try {
    return await world.client.request({ method: 'GET', path });
  } finally {
    await world.close();
  }
}

// apimachinery pkg/version/types.go of each release.
test.each([
  [undefined, 'v1.37.2', '37', '37'],
  ['1.33', 'v1.33.0', '33', '33'],
  ['v1.33.10', 'v1.33.10', '33', '33'],
  ['1.37', 'v1.37.2', '37', '37'],
])('/version of a world with %s', async (asked, gitVersion, minor, emulationMinor) => {
  const { body } = await ask(asked, '/version');
  expect(body).toMatchObject({ gitVersion, minor });
  expect(body['emulationMinor']).toBe(emulationMinor);
});

// api/discovery/aggregated_v2.json of each release.
test.each([
  ['1.36', 'admissionregistration.k8s.io/v1/mutatingadmissionpolicies', 200],
  ['1.35', 'admissionregistration.k8s.io/v1/mutatingadmissionpolicies', 404],
  ['1.33', 'resource.k8s.io/v1/deviceclasses', 404],
  ['1.34', 'resource.k8s.io/v1/deviceclasses', 200],
])('a world that follows %s answers %s with %s', async (asked, path, code) => {
  expect((await ask(asked, `/apis/${path}`)).code).toBe(code);
});

test('kinds of other releases are unknown', async () => {
  const world = await createWorld({ controllers: [], kubernetesVersion: '1.33' });
  const { body, warnings } = await world.client.request({
    method: 'POST',
    path: '/api/v1/namespaces/default/pods',
    query: { fieldValidation: 'Warn' },
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i', restartPolicyRules: [] }] },
    },
  });
  expect(warnings).toEqual(['unknown field "spec.containers[0].restartPolicyRules"']);
  expect(JSON.stringify(asObject(body['spec']))).not.toContain('restartPolicyRules');
  await world.close();
});

test('a release that is not known is refused', async () => {
  await expect(createWorld({ kubernetesVersion: '1.32' })).rejects.toThrow(
    'createWorld: --kubernetes-version "1.32" is not a supported release: 1.33, 1.34, 1.35, 1.36, 1.37',
  );
});
