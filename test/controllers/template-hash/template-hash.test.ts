import { expect, test } from 'vitest';
import { inSteps, noPause } from '../../../src/apimachinery/pause.ts';
import { templateHash } from '../../../src/controllers/template-hash/template-hash.ts';
import hashes from '../../facts/template-hashes.json' with { type: 'json' };
import { currentRelease } from '../../../src/schema/release/current-release.ts';

type Template = Parameters<typeof templateHash>[1];

const hashOf = (template: Template, collisions?: number): Promise<string> =>
  inSteps(templateHash(currentRelease.types, template, collisions), noPause);

// Recorded from a kube-controller-manager v1.36.2; the last one computed by its code.
test.each(hashes)('$template', async ({ spec, hash }) => {
  expect(await hashOf(spec)).toBe(hash);
});

test('a collision counts', async () => {
  const spec = hashes[0]?.spec ?? {};
  expect(await hashOf(spec, 1)).not.toBe(await hashOf(spec));
});

test('a long list of containers is hashed in many steps', () => {
  const containers = Array.from({ length: 100 }, (_none, at) => ({ name: `c${at}`, image: 'i' }));
  expect([...templateHash(currentRelease.types, { spec: { containers } }, undefined)].length).toBeGreaterThan(100);
});
