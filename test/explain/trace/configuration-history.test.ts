import { expect, test } from 'vitest';
import { configurationHistory } from '../../../src/explain/trace/configuration-history.ts';
import { tracesOf } from '../../harness/trace-requests.ts';

test('a deletion shows the deleted configuration', async () => {
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

test.each([
  ['alone', {}, []],
  ['beside another annotation', { owner: 'team-a' }, ['annotations:', 'owner: team-a']],
])('last-applied-configuration is not a change: %s', async (_fact, others, expected) => {
  const copy = { 'kubectl.kubernetes.io/last-applied-configuration': '{"webhooks":[]}' };
  const body = { metadata: { name: 'checks', annotations: { ...copy, ...others } } };
  const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
  const [created] = configurationHistory(await tracesOf({ sent: [['POST', path, body]] }));
  const lines = created?.diff.map(({ text }) => text.trim()) ?? [];
  expect(lines.join('\n')).not.toContain('last-applied');
  expect(lines.filter((line) => line.startsWith('annotations') || line.startsWith('owner'))).toEqual(expected);
});
