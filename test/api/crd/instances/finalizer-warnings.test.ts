import { expect, test } from 'vitest';
import { finalizerWarnings } from '../../../../src/api/crd/custom-type.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';

const withFinalizers = (...finalizers: string[]): KubernetesObject => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', finalizers },
});

/** Follows apiextensions-apiserver pkg/registry/customresource/validator.go validateKubeFinalizerName. */
const reason = 'to avoid accidental conflicts with other finalizer writers';
const plain = (name: string): string =>
  `metadata.finalizers: "${name}": prefer a domain-qualified finalizer name ${reason}`;
const domain = (name: string): string =>
  `metadata.finalizers: "${name}": prefer a domain-qualified finalizer name including a path (/) ${reason}`;

test.each([
  { added: ['tidy'], warnings: [plain('tidy')] },
  { added: ['tidy.example.com'], warnings: [domain('tidy.example.com')] },
  { added: ['b', 'a.io', 'b'], warnings: [domain('a.io'), plain('b')] },
  { added: ['example.com/tidy'], warnings: [] },
  { added: ['orphan', 'foregroundDeletion', 'kubernetes'], warnings: [] },
])('new finalizers $added', ({ added, warnings }) => {
  expect(finalizerWarnings(withFinalizers(...added))).toEqual(warnings);
});

test('those that were there before are passed over', () => {
  expect(finalizerWarnings(withFinalizers('old', 'new'), withFinalizers('old'))).toEqual([plain('new')]);
});
