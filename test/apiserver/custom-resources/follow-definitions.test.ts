import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { storageVersionHash } from '../../../src/apiserver/custom-resources/follow-definitions.ts';

// Source: discovery of kube-apiserver v1.36.2.
test('a pod', () => {
  expect(storageVersionHash({ group: '', version: 'v1', kind: 'Pod' })).toBe(hash('/v1/Pod'));
  expect(storageVersionHash({ group: 'apps', version: 'v1', kind: 'Deployment' })).toBe('8aSe+NMegvE=');
});

test.each([0, 1, 30, 52, 53, 54, 61, 62, 63, 64, 65, 118, 119, 300])('a group of %i letters', (length) => {
  const group = 'g'.repeat(length);
  expect(storageVersionHash({ group, version: 'v1', kind: 'K' })).toBe(hash(`${group}/v1/K`));
});

const hash = (text: string): string => createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
