import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTrace } from '../../../src/explain/trace/create-trace.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { traceText } from '../../../src/explain/trace/trace-file.ts';
import type { Say } from '../../harness/admission.ts';
import { createTestWorld } from '../../harness/world.ts';

const rules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }];

const configuration = (kind: string, webhooks: readonly object[]) => ({
  kind,
  apiVersion: 'admissionregistration.k8s.io/v1',
  metadata: { name: 'checks' },
  webhooks: webhooks.map((webhook) => ({
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    clientConfig: { url: 'https://127.0.0.1:1' },
    rules,
    ...webhook,
  })),
});

interface Story {
  readonly mutating?: readonly object[];
  readonly validating?: readonly object[];
  readonly say?: Readonly<Record<string, Say>>;
  readonly query?: string;
}

const add = (path: string, value: string) => [{ op: 'add', path, value }];
const refused: Say = () => ({
  outcome: 'failed',
  phase: 'connect',
  error: 'dial tcp 127.0.0.1:1: connection refused',
  cause: { because: 'connection-refused', address: '127.0.0.1:1' },
});

const stories: Readonly<Record<string, Story>> = {
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
    say: {
      'patching.example.com': () => ({ patch: add('/data/added', 'x'), warnings: ['be careful'] }),
      'allowing.example.com': () => ({ auditAnnotations: { seen: 'yes' } }),
    },
  },
  reinvoked: {
    mutating: [{ name: 'first.example.com', reinvocationPolicy: 'IfNeeded' }, { name: 'second.example.com' }],
    say: { 'second.example.com': () => ({ patch: add('/data/second', 'x') }) },
  },
  denied: {
    validating: [{ name: 'denying.example.com' }],
    say: { 'denying.example.com': () => ({ allowed: false, status: { message: 'no', code: 403 } }) },
  },
  'failed-open': {
    mutating: [{ name: 'away.example.com', failurePolicy: 'Ignore' }],
    say: { 'away.example.com': refused },
  },
  'failed-closed': {
    mutating: [{ name: 'away.example.com', failurePolicy: 'Fail' }],
    say: { 'away.example.com': refused },
  },
};

test.each(Object.entries(stories))('the trace of a write: %s', async (name, story) => {
  const world = await createTestWorld({ say: story.say ?? {} });
  const group = '/apis/admissionregistration.k8s.io/v1';
  const { mutating = [], validating = [] } = story;
  if (mutating.length > 0)
    await world.send(
      'POST',
      `${group}/mutatingwebhookconfigurations`,
      configuration('MutatingWebhookConfiguration', mutating),
    );
  if (validating.length > 0)
    await world.send(
      'POST',
      `${group}/validatingwebhookconfigurations`,
      configuration('ValidatingWebhookConfiguration', validating),
    );
  await world.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'm' }, data: { k: 'v' } });
  const last = world.finished.at(-1);
  if (last === undefined) throw new Error('nothing was traced');
  const trace = createTrace(last, '<audit-id>', last.request.receivedAt);
  const golden = (suffix: string): string => join(process.cwd(), `test/golden/trace-${name}.${suffix}`);
  await expect(`${renderExplanation(trace)}\n`).toMatchFileSnapshot(golden('txt'));
  await expect(`${steady(traceText(trace))}\n`).toMatchFileSnapshot(golden('json'));
});

/** The document over several lines, with uids and times replaced. */
const steady = (text: string): string =>
  JSON.stringify(JSON.parse(text), null, 2)
    .replaceAll(/00000000-0000-4000-8000-\d{12}/g, '<uid>')
    .replaceAll('2026-01-01T00:00:00Z', '<now>')
    .replaceAll(/"startedAt": \d+/g, '"startedAt": 0');
