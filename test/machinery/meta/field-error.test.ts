import { expect, test } from 'vitest';
import {
  fieldErrorText,
  invalidValue,
  invalidWord,
  notSupported,
  notSupportedText,
  goQuote,
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

// Source: what go's strconv.Quote prints, go 1.24.
test.each<readonly [text: string, quoted: string]>([
  ['', '""'],
  ['a b~', '"a b~"'],
  ['say "no"\\', String.raw`"say \"no\"\\"`],
  ["it's", `"it's"`],
  ['\u0007\b\f\n\r\t\v', String.raw`"\a\b\f\n\r\t\v"`],
  ['\u0000\u0001\u001b\u007f', String.raw`"\x00\x01\x1b\x7f"`],
  ['é"\\', String.raw`"é\"\\"`],
  ['a\u0001"', String.raw`"a\x01\""`],
  ['é"\\\u0001\n', String.raw`"é\"\\\x01\n"`],
  ['\u0080\u00a0\u00ad', String.raw`"\u0080\u00a0\u00ad"`],
  ['\u200b\ufeff', String.raw`"\u200b\ufeff"`],
  ['😀\u{e0001}', String.raw`"😀\U000e0001"`],
])('%j', (text, quoted) => {
  expect(goQuote(text)).toBe(quoted);
});
