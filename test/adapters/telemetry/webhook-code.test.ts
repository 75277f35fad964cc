import { expect, test } from 'vitest';
import type { WebhookOutcome } from '../../../src/apiserver/admission/chain/outcome.ts';
import { callResult } from '../../../src/adapters/telemetry/webhook-metrics.ts';

type Failed = Extract<WebhookOutcome, { readonly outcome: 'failed-open' }>;

const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const called = {
  matched: { kind, resource: { group: '', version: 'v1', resource: 'configmaps' }, rule: 0 },
  uid: 'u',
  request: null,
  response: undefined,
  warnings: [],
  auditAnnotations: {},
} as const;

// Source: apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go callAttrMutatingHook; rules MET-2 to MET-4.
test.each<[fact: string, failure: Pick<Failed, 'phase'> & Partial<Failed>, code: number]>([
  ['a connection that could not be opened is 503', { phase: 'connect' }, 503],
  ['a client that could not be made is 500', { phase: 'client' }, 500],
  ['a review that could not be made is 400', { phase: 'client', countedAs: 400 }, 400],
  ['a dry run with side effects is 400', { phase: 'dry-run' }, 400],
  ['a patch of an unknown type is 400', { phase: 'patch', countedAs: 400 }, 400],
  ['any other patch that cannot be used is 503', { phase: 'patch' }, 503],
  ['an answer that is no review has its own code', { phase: 'decode', httpCode: 404 }, 404],
  ['codes end at 600', { phase: 'decode', httpCode: 999 }, 600],
])('%s', (_fact, failure, code) => {
  // The text says nothing of it.
  const error = 'failed calling webhook "a": x';
  expect(callResult({ ...called, error, detail: 'x', ...failure, outcome: 'failed-open' })?.code).toBe(code);
});
