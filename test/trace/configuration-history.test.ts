import { expect, test } from 'vitest';
import { configurationHistory } from '../../src/trace/configuration-history.ts';
import { tracesOf } from '../harness/explained.ts';

test('a deletion shows what the configuration held', async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/checks';
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'checks', labels: { team: 'a' } },
  };
  const traces = await tracesOf({
    sent: [
      ['POST', path.slice(0, path.lastIndexOf('/')), body],
      ['DELETE', path],
    ],
  });
  const [created, deleted] = configurationHistory(traces);
  expect([created?.change, deleted?.change]).toEqual(['created', 'deleted']);
  expect(deleted?.diff.filter(({ sign }) => sign === '-').map(({ text }) => text.trim())).toContain('team: a');
});
