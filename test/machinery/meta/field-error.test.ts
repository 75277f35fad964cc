import { expect, test } from 'vitest';
import {
  fieldErrorText,
  invalidValue,
  invalidWord,
  notSupported,
  notSupportedText,
} from '../../../src/machinery/meta/field-error.ts';

// As kube-apiserver v1.36.2 answers for a Service, a NetworkPolicy and a StorageClass; words have types of their own in Go, and no control
// character of theirs is written as Go quotes a string.
test.each([
  [
    'a word that is none of a list',
    notSupported('spec.internalTrafficPolicy', 'a\u0000<', ['Cluster', 'Local']),
    String.raw`spec.internalTrafficPolicy: Unsupported value: "a\u0000\u003c": supported values: "Cluster", "Local"`,
  ],
  [
    'a text that is none',
    notSupportedText('roleRef.kind', 'a\u0000<', ['Role']),
    String.raw`roleRef.kind: Unsupported value: "a\x00<": supported values: "Role"`,
  ],
  [
    'a word that is wrong',
    invalidWord('spec.podSelector.matchExpressions[0].operator', 'a\u0000', 'not a valid selector operator'),
    String.raw`spec.podSelector.matchExpressions[0].operator: Invalid value: "a\u0000": not a valid selector operator`,
  ],
  [
    'a text that is wrong',
    invalidValue('provisioner', 'a\u0000', 'no'),
    String.raw`provisioner: Invalid value: "a\x00": no`,
  ],
  [
    'what is no text',
    notSupported('dryRun', ['a', 'b'], ['All']),
    'dryRun: Unsupported value: ["a","b"]: supported values: "All"',
  ],
])('%s is printed as in Go', (_what, error, text) => {
  expect(fieldErrorText(error)).toBe(text);
});
