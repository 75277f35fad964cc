import { expect, test } from 'vitest';
import { templateHash } from '../../../src/controllers/template-hash/template-hash.ts';
import hashes from '../../facts/template-hashes.json' with { type: 'json' };
import { recordedRelease } from '../../harness/recorded-release.ts';

type Template = Parameters<typeof templateHash>[1];

const hashOf = (template: Template, collisions?: number): string =>
  templateHash(recordedRelease.types, template, collisions);

// Recorded from a kube-controller-manager v1.36.2; the last one computed by its code.
test.each(hashes)('$template', ({ spec, hash }) => {
  expect(hashOf(spec)).toBe(hash);
});

test('a collision counts', () => {
  const spec = hashes[0]?.spec ?? {};
  expect(hashOf(spec, 1)).not.toBe(hashOf(spec));
});
