import { expect, test } from 'vitest';
import { configurationHistory } from '../../../src/explain/trace/configuration-history.ts';
import { coverageOf } from '../../../src/explain/trace/coverage.ts';
import { type SentRequest, tracesOf } from '../../harness/trace-requests.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, labels: object = {}): SentRequest => [
  'POST',
  configMaps,
  { metadata: { name, labels } },
];
const rule = (resource: string) => ({
  operations: ['CREATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: [resource],
});
const configuration = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/checks';

test('which webhook, rule and condition was ever exercised', async () => {
  const traces = await tracesOf({
    validating: [
      {
        name: 'a.example.com',
        rules: [rule('secrets'), rule('configmaps')],
        matchConditions: [{ name: 'labelled', expression: "object.metadata.?labels.run.orValue('') == 'yes'" }],
      },
      { name: 'b.example.com', rules: [rule('pods')] },
      { name: 'c.example.com', matchConditions: [{ name: 'never', expression: 'false' }] },
    ],
    responses: { 'a.example.com': ({ name }) => ({ allowed: name !== 'denied' }) },
    sent: [configMap('one', { run: 'yes' }), configMap('two'), configMap('denied', { run: 'yes' })],
  });
  expect(coverageOf(traces).webhooks).toMatchObject([
    {
      phase: 'validating',
      configuration: 'checks',
      name: 'a.example.com',
      considered: 3,
      outcomes: { called: 1, denied: 1, skipped: 1 },
      skippedBecause: { matchCondition: 1 },
      rules: [
        { rule: 'CREATE of secrets in group "" version v1', matched: 0 },
        { rule: 'CREATE of configmaps in group "" version v1', matched: 2 },
      ],
      conditions: [{ name: 'labelled', true: 2, false: 1, error: 0 }],
    },
    { name: 'b.example.com', considered: 3, outcomes: { called: 0, skipped: 3 }, rules: [{ matched: 0 }] },
    // Its one rule matched, or its condition would not have been looked at.
    { name: 'c.example.com', outcomes: { called: 0, skipped: 3 }, rules: [{ matched: 3 }] },
  ]);
});

// `--assume` answers for webhooks that do not run.
test('an assumed response is not counted as a call', async () => {
  const traces = await tracesOf({
    validating: [{ name: 'a.example.com' }, { name: 'b.example.com' }],
    sent: [configMap('one')],
  });
  const assumed = traces.map((trace) => ({
    ...trace,
    admission: trace.admission.map((one) =>
      one.name === 'b.example.com' ? { ...one, assumed: 'allow' as const } : one,
    ),
  }));
  expect(coverageOf(assumed).webhooks).toMatchObject([
    { name: 'a.example.com', outcomes: { called: 1, assumed: 0 } },
    { name: 'b.example.com', outcomes: { called: 0, assumed: 1 }, rules: [{ matched: 1 }] },
  ]);
});

test('a webhook counts from its last change of rules on, and is known from the write alone', async () => {
  const traces = await tracesOf({
    validating: [{ name: 'a.example.com' }],
    sent: [
      configMap('one'),
      [
        'PATCH',
        configuration,
        [{ op: 'replace', path: '/webhooks/0/rules/0/resources', value: ['pods'] }],
        'application/json-patch+json',
      ],
    ],
  });
  expect(coverageOf(traces).webhooks).toMatchObject([
    { name: 'a.example.com', considered: 0, rules: [{ matched: 0 }] },
  ]);
});

test('the writers of configurations', async () => {
  const traces = await tracesOf({
    validating: [{ name: 'a.example.com' }],
    sent: [
      configMap('one'),
      ['PATCH', `${configuration}?dryRun=All`, { metadata: { labels: { dry: 'yes' } } }],
      ['PATCH', configuration, { metadata: { labels: { team: 'a' } } }],
      ['PATCH', configuration, { webhooks: 5 }],
      ['DELETE', configuration],
    ],
  });
  const history = configurationHistory(traces);
  expect(history).toMatchObject([
    { change: 'changed', resource: 'validatingwebhookconfigurations', name: 'checks', user: 'admin', after: {} },
    { change: 'deleted', name: 'checks', after: null },
  ]);
  expect(history[0]?.diff.map(({ sign, text }) => `${sign} ${text}`)).toEqual([
    '  metadata:',
    '+   labels:',
    '+     team: a',
  ]);
});
