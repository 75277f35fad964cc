import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { outageText, type OutageReport } from '../../../src/testing/scenario/outage/report.ts';
import { runOutage } from '../../../src/testing/scenario/outage/run-outage.ts';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';
import { configuration, manifest, scenarioOf, webhook } from '../../harness/scenario.ts';

const worlds = createWorlds((bug) => {
  throw bug;
});
afterAll(() => worlds.close());

const drill = (load: readonly JsonObject[]): Promise<OutageReport> =>
  runOutage({ scenario: scenarioOf({ load: load.map(manifest) }), combination: '' }, worlds);

const service = (namespace: string, name: string): JsonObject => ({ clientConfig: { service: { namespace, name } } });

const rule = (resource: string, change: JsonObject = {}): JsonObject => ({
  rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: [resource], ...change }],
});

const pods = rule('pods');
const own = configuration('Mutating', 'injector', [
  { name: 'i.example.com', ...service('inject', 'injector'), ...pods },
]);

const labels = { app: 'injector' };
const backend = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'inject' } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'injector', namespace: 'inject' },
    spec: { selector: labels, ports: [{ port: 443 }] },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'injector', namespace: 'inject' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'i' }] } },
    },
  },
];

/** Source: the deadlocks of users.md 2.3; the threads are named. */
const drills: readonly [fact: string, load: readonly JsonObject[], report: Partial<OutageReport>][] = [
  ['without a webhook there is nothing to recover from', [], { outcome: 'recovers', backends: [], drills: [] }],
  [
    'a webhook on Pods that takes its own backend’s Pods ties a knot (cloud-api-adaptor#305)',
    [own],
    { outcome: 'stuck', recovery: [], waiting: [] },
  ],
  [
    'an objectSelector that leaves out the Pods of its Deployment unties it',
    [
      ...backend,
      configuration('Mutating', 'injector', [
        {
          name: 'i.example.com',
          ...service('inject', 'injector'),
          ...pods,
          objectSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['injector'] }] },
        },
      ]),
    ],
    { outcome: 'recovers', recovery: [['inject/injector']], knots: [] },
  ],
  [
    'a backend outside of the cluster needs nothing of it',
    [
      configuration('Validating', 'gate', [
        { name: 'g.example.com', clientConfig: { url: 'https://gate.example.com/' }, ...rule('*/*') },
      ]),
    ],
    { outcome: 'recovers', recovery: [['gate.example.com']] },
  ],
  [
    'a url with the name of a Service is a backend of the cluster',
    [
      configuration('Validating', 'gate', [
        { name: 'g.example.com', clientConfig: { url: 'https://gate.policy.svc:443/check' }, ...pods },
      ]),
    ],
    {
      outcome: 'stuck',
      backends: [
        { name: 'policy/gate', inCluster: true, webhooks: [{ name: 'g.example.com', configuration: 'gate' }] },
      ],
    },
  ],
  [
    'two that need each other can never come back (uds-core#1509)',
    [
      configuration('Mutating', 'istio', [
        {
          name: 'istio.example.com',
          ...service('istio', 'istiod'),
          ...pods,
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'pepr' } },
        },
      ]),
      configuration('Mutating', 'pepr', [
        {
          name: 'pepr.example.com',
          ...service('pepr', 'pepr'),
          ...pods,
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'istio' } },
        },
      ]),
    ],
    { outcome: 'stuck', recovery: [] },
  ],
  [
    'one that needs another comes back after it',
    [
      configuration('Mutating', 'first', [
        {
          name: 'first.example.com',
          ...service('one', 'first'),
          ...pods,
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'two' } },
        },
      ]),
      configuration('Mutating', 'second', [
        { name: 'second.example.com', ...service('two', 'second'), ...rule('configmaps') },
      ]),
    ],
    { outcome: 'recovers', recovery: [['one/first'], ['two/second']], knots: [] },
  ],
  [
    'fail-open webhooks that hang outlast the request (kubernetes#128162)',
    [
      configuration(
        'Mutating',
        'open',
        [1, 2].map((index) => ({
          name: `o${index}.example.com`,
          ...service('open', `o${index}`),
          ...pods,
          failurePolicy: 'Ignore',
          timeoutSeconds: 30,
        })),
      ),
    ],
    { outcome: 'stuck', outOfTime: ['open/o1', 'open/o2'], knots: [] },
  ],
];

test.each(drills)('%s', async (_fact, load, report) => {
  expect(await drill(load)).toMatchObject(report);
});

/** Which write it is that ties the knot, and what is advised. */
const knots: readonly [fact: string, rules: JsonObject, blocked: readonly string[], fields: string][] = [
  [
    'pods/binding: no Pod gets a Node (slurm-operator#189)',
    rule('pods/binding'),
    ['bind a Pod of inject/injector to a Node'],
    'namespaceSelector:\n  matchExpressions:\n    - key: kubernetes.io/metadata.name\n      operator: NotIn\n      values:\n        - inject\n',
  ],
  [
    'leases: no node is ready',
    rule('leases'),
    ['renew the Lease of a Node in kube-node-lease', 'renew the Lease of the controller manager in kube-system'],
    'namespaceSelector:\n  matchExpressions:\n    - key: kubernetes.io/metadata.name\n      operator: NotIn\n      values:\n        - kube-node-lease\n        - kube-system\n',
  ],
  [
    'nodes and certificates: nothing to run on (kyverno#16177)',
    { rules: ['nodes', 'certificatesigningrequests'].flatMap((one) => rule(one)['rules'] as JsonObject[]) },
    ['register a Node'],
    'matchConditions:\n  - name: exempt-bootstrap\n    expression: "!(request.resource.resource in [\'nodes\'])"\n',
  ],
];

test.each(knots)('%s', async (_fact, rules, blocked, fields) => {
  const report = await drill([
    configuration('Validating', 'gate', [{ name: 'g.example.com', ...service('inject', 'injector'), ...rules }]),
  ]);
  expect(report.outcome).toBe('stuck');
  expect(report.knots[0]).toMatchObject({
    name: 'g.example.com',
    configuration: 'gate',
    keeps: ['inject/injector'],
    blocked,
    advice: { fields, helps: true },
  });
});

test('what is refused without an outage too is not the outage’s doing', async () => {
  const report = await runOutage(
    {
      scenario: scenarioOf({
        load: [manifest(own)],
        webhooks: [webhook('i.example.com', { does: [{ type: 'deny' }] })],
      }),
      combination: '',
    },
    worlds,
  );
  expect(report).toMatchObject({ outcome: 'recovers', knots: [] });
});

test('a scenario that cannot be loaded is broken', async () => {
  const report = await drill([{ apiVersion: 'v1', kind: 'Pdo', metadata: { name: 'a' } }]);
  expect(report).toMatchObject({
    outcome: 'broken',
    problem: { message: 'Pdo a cannot be stored: no matches for kind "Pdo" in version "v1"' },
  });
  expect(outageText(report)).toBe(
    'BROKEN  a scenario: Pdo a cannot be stored: no matches for kind "Pdo" in version "v1"',
  );
});

test('the report in words', async () => {
  expect(outageText(await drill([own])).split('\n')).toEqual([
    'STUCK  a scenario: inject/injector cannot recover by itself',
    '',
    '  deadlock: webhook i.example.com of injector blocks the recovery of its own backend inject/injector',
    '    rules[0] (CREATE, UPDATE pods) intercepts, and failurePolicy Fail refuses:',
    '      create a Pod of inject/injector',
    '    fix (verified): a namespaceSelector that leaves out inject; or failurePolicy Ignore',
    '      namespaceSelector:',
    '        matchExpressions:',
    '          - key: kubernetes.io/metadata.name',
    '            operator: NotIn',
    '            values:',
    '              - inject',
    '',
    '  inject/injector down: 4 of 18 standard writes are blocked',
    '    500 by i.example.com of injector, rules[0] (CREATE, UPDATE pods)',
    '      create a Pod of inject/injector',
    '      create a Pod in default',
    '      create a Pod in kube-system',
    '      create a Pod in inject',
    '',
    '  inject/injector hanging: 4 of 18 standard writes are blocked',
    '    500 after 10.0 s by i.example.com of injector, rules[0] (CREATE, UPDATE pods)',
    '      create a Pod of inject/injector',
    '      create a Pod in default',
    '      create a Pod in kube-system',
    '      create a Pod in inject',
    '',
    '  can be deleted during the outage: injector',
  ]);
});
