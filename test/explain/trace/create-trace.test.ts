import { join } from 'node:path';
import { expect, test } from 'vitest';
import { traceText } from '../../../src/adapters/traces/trace-file.ts';
import type { Respond } from '../../harness/admission.ts';
import { type RequestStory, type SentRequest, traceOf } from '../../harness/trace-requests.ts';

const rules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }];
const create: SentRequest = [
  'POST',
  '/api/v1/namespaces/default/configmaps',
  { metadata: { name: 'm' }, data: { k: 'v' } },
];
const add = (path: string, value: string) => [{ op: 'add', path, value }];
const refused: Respond = () => ({
  outcome: 'failed',
  phase: 'connect',
  error: 'dial tcp 127.0.0.1:1: connection refused',
  cause: { because: 'connection-refused', address: '127.0.0.1:1' },
});

const stories: Readonly<Record<string, Omit<RequestStory, 'sent'>>> = {
  'no-webhooks': {},
  skipped: {
    mutating: [
      { name: 'other-resource.example.com', rules: [{ ...rules[0], resources: ['pods'], operations: ['DELETE'] }] },
      { name: 'other-namespace.example.com', namespaceSelector: { matchLabels: { team: 'a' } } },
      { name: 'other-object.example.com', objectSelector: { matchLabels: { app: 'web' } } },
    ],
  },
  called: {
    mutating: [{ name: 'patching.example.com' }],
    validating: [{ name: 'allowing.example.com' }],
    responses: {
      'patching.example.com': () => ({ patch: add('/data/added', 'x'), warnings: ['be careful'] }),
      'allowing.example.com': () => ({ auditAnnotations: { seen: 'yes' } }),
    },
  },
  reinvoked: {
    mutating: [{ name: 'first.example.com', reinvocationPolicy: 'IfNeeded' }, { name: 'second.example.com' }],
    responses: { 'second.example.com': () => ({ patch: add('/data/second', 'x') }) },
  },
  denied: {
    validating: [{ name: 'denying.example.com' }],
    responses: { 'denying.example.com': () => ({ allowed: false, status: { message: 'no', code: 403 } }) },
  },
  'failed-open': {
    mutating: [{ name: 'away.example.com', failurePolicy: 'Ignore' }],
    responses: { 'away.example.com': refused },
  },
  'failed-closed': {
    mutating: [{ name: 'away.example.com', failurePolicy: 'Fail' }],
    responses: { 'away.example.com': refused },
  },
};

test.each(Object.entries(stories))('the trace of a write: %s', async (name, story) => {
  const text = steady(traceText(await traceOf({ ...story, sent: [create] })));
  await expect(`${text}\n`).toMatchFileSnapshot(join(process.cwd(), `test/golden/trace-${name}.json`));
});

/** The document over several lines, with uids and times replaced. */
const steady = (text: string): string =>
  JSON.stringify(JSON.parse(text), null, 2)
    .replaceAll(/00000000-0000-4000-8000-\d{12}/g, '<uid>')
    .replaceAll('2026-01-01T00:00:00Z', '<now>')
    .replaceAll(/"startedAt": \d+/g, '"startedAt": 0');
