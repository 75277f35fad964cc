import { readGoDuration } from '../../../src/machinery/go/go-duration.ts';
import { expect, test } from 'vitest';
import { requestDeadline, optionsJson, readWriteOptions } from '../../../src/apiserver/request/write-options.ts';

type Kind = Parameters<typeof readWriteOptions>[1];

const read = (kind: Kind, query: string, isApply = false): unknown => {
  const options = readWriteOptions(new URLSearchParams(query), kind, isApply);
  return options.ok ? 'fine' : `${options.status.code} ${options.status.message}`;
};

// Source: apimachinery pkg/apis/meta/v1/validation/validation.go; rule DRY-1; spec/kubectl.md section 7.3.
test.each<readonly [kind: Kind, query: string, answer: string]>([
  ['CreateOptions', '', 'fine'],
  ['CreateOptions', 'dryRun=All', 'fine'],
  ['CreateOptions', 'dryRun=All&dryRun=All', 'fine'],
  [
    'CreateOptions',
    'dryRun=x',
    '422 CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"',
  ],
  [
    'UpdateOptions',
    'dryRun=',
    '422 UpdateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: [""]: supported values: "All"',
  ],
  [
    'PatchOptions',
    'dryRun=All&dryRun=all',
    '422 PatchOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["All","all"]: supported values: "All"',
  ],
  ['CreateOptions', `fieldManager=${'m'.repeat(128)}`, 'fine'],
  [
    'CreateOptions',
    `fieldManager=${'m'.repeat(129)}`,
    '422 CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
  ],
  [
    'CreateOptions',
    'fieldManager=%C3%A9%07b',
    String.raw`422 CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "é\ab": invalid character U+0007 (at position 2)`,
  ],
  [
    'UpdateOptions',
    'fieldValidation=Loud',
    '422 UpdateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loud": supported values: "", "Ignore", "Strict", "Warn"',
  ],
  ['CreateOptions', 'force=true', 'fine'],
  [
    'PatchOptions',
    'force=false',
    '422 PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  ],
])('%s with %j: %s', (kind, query, answer) => {
  expect(read(kind, query)).toBe(answer);
});

test('an apply needs a field manager', () => {
  const required = 'fieldManager: Required value: is required for apply patch';
  expect(read('PatchOptions', '', true)).toBe(`422 PatchOptions.meta.k8s.io "" is invalid: ${required}`);
  expect(read('PatchOptions', 'fieldManager=m&force=true', true)).toBe('fine');
});

// Source: rule REV-6.
test('admission is shown the options that were given', () => {
  const options = { dryRun: ['All'], fieldManager: 'm', fieldValidation: 'Strict', force: undefined };
  expect(optionsJson('CreateOptions', options)).toEqual({
    kind: 'CreateOptions',
    apiVersion: 'meta.k8s.io/v1',
    dryRun: ['All'],
    fieldManager: 'm',
    fieldValidation: 'Strict',
  });
});

// Source: go src/time/format.go ParseDuration; rules FAIL-40 and FAIL-41.
test.each<readonly [text: string, milliseconds: number | undefined]>([
  ['0', 0],
  ['10s', 10_000],
  ['1m30s', 90_000],
  ['1.5h', 5_400_000],
  ['250ms', 250],
  ['-3s', -3000],
  ['+3s', 3000],
  ['.5s', 500],
  ['1µs', 0.001],
  ['10', undefined],
  ['s', undefined],
  ['1d', undefined],
  ['', undefined],
  ['1s ', undefined],
  ['-0', 0],
  ['1.s1ms', 1001],
  ['.s', undefined],
])('the duration %j is %j milliseconds', (text, milliseconds) => {
  expect(readGoDuration(text)).toBe(milliseconds);
});

// A timeout in a URL of a mebibyte: more than a duration can hold, and refused before it is looked at.
test('half a million digits are no duration, and hold nobody up', () => {
  expect(readGoDuration('1'.repeat(500_000))).toBeUndefined();
});

test.each<readonly [query: string, oneWrite: number, many: number]>([
  ['', 34_000, 60_000],
  ['timeout=0s', 34_000, 60_000],
  ['timeout=10s', 10_000, 10_000],
  ['timeout=45s', 34_000, 45_000],
  ['timeout=90s', 34_000, 60_000],
  ['timeout=-1s', 34_000, 60_000],
])('webhooks have until %j: %i ms for one write, %i ms for a collection', (query, oneWrite, many) => {
  const until = (isOneWrite: boolean): unknown => requestDeadline(new URLSearchParams(query), 1000, { isOneWrite });
  expect(until(true)).toMatchObject({ at: 1000 + oneWrite });
  expect(until(false)).toEqual({ at: 1000 + many, by: 'request' });
});
