import { expect, test } from 'vitest';
import { templateHash } from '../../../src/controllers/template-hash/template-hash.ts';
import hashes from '../../facts/template-hashes.json' with { type: 'json' };

// Recorded from a kube-controller-manager v1.36.2; the last one computed by its code.
test.each(hashes)('$template', ({ spec, hash }) => {
  expect(templateHash(spec, undefined)).toBe(hash);
});

test('a collision counts', () => {
  const [template] = hashes;
  expect(templateHash(template?.spec ?? {}, 1)).not.toBe(templateHash(template?.spec ?? {}, undefined));
});
