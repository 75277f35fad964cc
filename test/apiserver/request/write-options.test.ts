import { expect, test } from 'vitest';
import {
  requestDeadline,
  isDryRun,
  optionsJson,
  readWriteOptions,
} from '../../../src/apiserver/request/write-options.ts';

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
  ['CreateOptions', 'fieldValidation=Warn', 'fine'],
  ['CreateOptions', 'fieldValidation=Ignore', 'fine'],
  ['CreateOptions', 'fieldValidation=Strict', 'fine'],
  ['CreateOptions', 'force=true', 'fine'],
  [
    'PatchOptions',
    'force=false',
    '422 PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  ],
])('%s with %j: %s', (kind, query, answer) => {
  expect(read(kind, query)).toBe(answer);
});

test('an apply requires a field manager', () => {
  const required = 'fieldManager: Required value: is required for apply patch';
  for (const query of ['', 'fieldManager=']) {
    expect(read('PatchOptions', query, true)).toBe(`422 PatchOptions.meta.k8s.io "" is invalid: ${required}`);
  }
  expect(read('PatchOptions', 'fieldManager=m&force=true', true)).toBe('fine');
});

// Source: rule REV-6.
test.each<readonly [query: string, json: object]>([
  ['', {}],
  ['dryRun=All', { dryRun: ['All'] }],
  ['fieldManager=m&fieldValidation=Strict', { fieldManager: 'm', fieldValidation: 'Strict' }],
])('admission has the options of %j as %j', (query, json) => {
  const options = readWriteOptions(new URLSearchParams(query), 'CreateOptions');
  if (!options.ok) throw new Error(options.status.message);
  const meta = { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' };
  expect(optionsJson('CreateOptions', options.value)).toEqual({ ...meta, ...json });
  expect(isDryRun(options.value)).toBe('dryRun' in json);
});

// Source: apiserver pkg/endpoints/filters/request_deadline_test.go; pkg/endpoints/handlers/rest.go requestTimeoutUpperBound.
test.each<readonly [query: string, oneWrite: string, others: string, maxMs: number | undefined]>([
  ['', '34000 handler', '60000 request', undefined],
  ['timeout=0', '34000 handler', '60000 request', undefined],
  ['timeout=1ms', '1 request', '1 request', undefined],
  ['timeout=10s', '10000 request', '10000 request', undefined],
  ['timeout=34s', '34000 request', '34000 request', undefined],
  ['timeout=35s', '34000 handler', '35000 request', undefined],
  ['timeout=60s', '34000 handler', '60000 request', undefined],
  ['timeout=61s', '34000 handler', '60000 request', undefined],
  ['timeout=-1s', '34000 handler', '60000 request', undefined],
  ['', '10000 request', '10000 request', 10_000],
  ['timeout=20s', '10000 request', '10000 request', 10_000],
  ['timeout=90s', '34000 handler', '90000 request', 120_000],
])('the timeout of %j is %s for one write, %s for other requests', (query, ...[oneWrite, others, maxMs]) => {
  const limits = [true, false].map((isOneWrite) => {
    const { at, by } = requestDeadline(new URLSearchParams(query), 1000, { isOneWrite, maxMs });
    return `${at - 1000} ${by}`;
  });
  expect(limits).toEqual([oneWrite, others]);
});
