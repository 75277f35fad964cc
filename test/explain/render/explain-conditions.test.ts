import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTrace } from '../../../src/explain/trace/create-trace.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { createTestWorld } from '../../harness/world.ts';

const configuration = (kind: string, webhooks: readonly object[]) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name: 'checks' },
  webhooks: webhooks.map((webhook) => ({
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    clientConfig: { url: 'https://127.0.0.1:1' },
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }],
    ...webhook,
  })),
});

const runYes = { name: 'run-yes', expression: "object.metadata.labels.run == 'yes'" };
const isCreate = { name: 'is-create', expression: "request.operation == 'CREATE'" };
const noKey = { name: 'no-key', expression: "object.data.missing.startsWith('x')" };

const mutating = [
  { name: 'called.example.com', matchConditions: [isCreate] },
  { name: 'skipped.example.com', matchConditions: [noKey, isCreate, runYes] },
  { name: 'ignored.example.com', failurePolicy: 'Ignore', matchConditions: [noKey] },
];
const validating = [{ name: 'refused.example.com', matchConditions: [isCreate, noKey] }];

test('the result of each match condition', async () => {
  const { send, finished } = await createTestWorld();
  const group = '/apis/admissionregistration.k8s.io/v1';
  await send('POST', `${group}/mutatingwebhookconfigurations`, configuration('MutatingWebhookConfiguration', mutating));
  await send(
    'POST',
    `${group}/validatingwebhookconfigurations`,
    configuration('ValidatingWebhookConfiguration', validating),
  );
  const metadata = { name: 'm', labels: { run: 'no' } };
  await send('POST', '/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  const last = finished.at(-1);
  if (last === undefined) throw new Error('nothing was traced');
  const text = renderExplanation(createTrace(last, 'audit', last.request.receivedAt));
  await expect(`${text}\n`).toMatchFileSnapshot(join(process.cwd(), 'test/golden/explain-conditions.txt'));
});
