import { expect, test } from 'vitest';
import { type JsonObject, valueAt } from '../../../src/machinery/json/json.ts';
import { checkExpectation } from '../../../src/testing/scenario/expect/check.ts';
import { differencesText, missingFields } from '../../../src/testing/scenario/expect/differences.ts';
import type { CheckResult, StepObservation } from '../../../src/testing/scenario/expect/step-observation.ts';
import type { Expectation, WebhookExpectation } from '../../../src/testing/scenario/format.ts';
import {
  configMap,
  configuration,
  expecting,
  failuresOf,
  here,
  manifest,
  play,
  step,
  webhook,
  expectWebhook,
} from '../../harness/scenario.ts';

const load = [
  manifest(
    configuration('Mutating', 'first', [
      { name: 'a.example.com', namespaceSelector: { matchLabels: { team: 'red' } } },
      { name: 'b.example.com' },
      { name: 'open.example.com', failurePolicy: 'Ignore', timeoutSeconds: 2 },
    ]),
  ),
  manifest(configuration('Mutating', 'second', [{ name: 'same.example.com', reinvocationPolicy: 'IfNeeded' }])),
  manifest(configuration('Mutating', 'third', [{ name: 'same.example.com' }])),
  manifest(configuration('Validating', 'gate', [{ name: 'gate.example.com' }, { name: 'other.example.com' }])),
];

const label = [{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }];

const webhooks = [
  webhook('a.example.com'),
  webhook('b.example.com', {
    does: [
      { type: 'patch', operations: label },
      { type: 'warn', warnings: ['mind the gap'] },
      { type: 'audit', annotations: { who: 'me' } },
    ],
  }),
  webhook('open.example.com', { faults: [{ what: { type: 'hang' } }] }),
  webhook('same.example.com'),
  webhook('other.example.com'),
  webhook('gate.example.com', {
    does: [{ type: 'script', run: (review) => (isBad(review) ? denial : { allowed: true }) }],
  }),
];

const isBad = (review: JsonObject): boolean => valueAt(review, 'request', 'object', 'metadata', 'name') === 'bad';

const denial = { allowed: false, status: { message: 'no bad ones', code: 422 } };

const good = configMap('good', { data: { colour: 'blue' } });
const bad = configMap('bad');

const created = async (object: JsonObject, expectation: Partial<Expectation>): Promise<readonly string[]> =>
  failuresOf(await play({ load, webhooks, steps: [step({ type: 'create', object }, expectation)] }));

/** What holds, for one object or the other. */
const holding: readonly [fact: string, object: JsonObject, expectation: Partial<Expectation>][] = [
  ['nothing is expected of an admitted request', good, {}],
  ['the outcome', good, { outcome: 'admitted', code: 201 }],
  [
    'who denied it, with which code, reason and message',
    bad,
    { deniedBy: 'gate.example.com', code: 422, message: { pattern: /no bad/ } },
  ],
  ['what is found wrong', good, { findings: ['unchecked'] }],
  ['a denial by a webhook of a configuration', bad, { deniedBy: 'gate/gate.example.com' }],
  [
    'each webhook',
    good,
    {
      webhooks: [
        expectWebhook('a.example.com', { outcome: 'skipped', because: 'namespaceSelector' }),
        expectWebhook('b.example.com', {
          outcome: 'called',
          round: 0,
          times: 1,
          patch: label,
          warnings: [{ exact: 'mind the gap' }],
          auditAnnotations: { who: 'me' },
        }),
        expectWebhook('open.example.com', {
          outcome: 'failed-open',
          phase: 'timeout',
          error: { pattern: /deadline/ },
        }),
        expectWebhook('third/same.example.com', { times: 1, patch: null }),
        expectWebhook('same.example.com', { configuration: 'second', times: 1 }),
      ],
    },
  ],
  [
    'the order of the calls',
    good,
    {
      order: [
        'b.example.com',
        'open.example.com',
        'second/same.example.com',
        'third/same.example.com',
        'gate.example.com',
        'other.example.com',
      ],
    },
  ],
  [
    'warnings and audit annotations',
    good,
    {
      warnings: [{ exact: 'mind the gap' }],
      auditAnnotations: { 'b.example.com/who': { exact: 'me' }, missing: null },
    },
  ],
  [
    'a part of the object',
    good,
    { object: { data: { colour: 'blue' }, metadata: { labels: { seen: 'yes', other: null } } } },
  ],
  [
    'the whole object but for what the server fills in',
    good,
    {
      exactly: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'good', namespace: 'default', labels: { seen: 'yes' } },
        data: { colour: 'blue' },
      },
    },
  ],
  ['the time that a timeout takes', good, { elapsedMs: { min: 2000, max: 2010 } }],
];

test('a mutating and a validating webhook of the same names are distinguished', async () => {
  const same = [{ name: 'webhook.cert-manager.io' }];
  const tell = (expected: Partial<WebhookExpectation>) =>
    play({
      load: [
        manifest(configuration('Mutating', 'cert-manager-webhook', same)),
        manifest(configuration('Validating', 'cert-manager-webhook', same)),
      ],
      webhooks: [webhook('webhook.cert-manager.io')],
      steps: [
        step({ type: 'create', object: good }, { webhooks: [expectWebhook('webhook.cert-manager.io', expected)] }),
      ],
    });
  expect(failuresOf(await tell({ admission: 'mutating', outcome: 'called', times: 1 }))).toEqual([]);
  expect(failuresOf(await tell({ times: 1 }))).toEqual([
    'webhooks[0]: webhook.cert-manager.io was expected to be called once, and was called twice',
  ]);
});

test.each(holding)('%s', async (_fact, object, expectation) => {
  expect(await created(object, expectation)).toEqual([]);
});

/** What does not hold, and what is said then. */
const breaking: readonly [
  kind: string,
  object: JsonObject,
  expectation: Partial<Expectation>,
  said: readonly string[],
][] = [
  [
    'outcome: an unexpected refusal',
    bad,
    {},
    [
      'outcome: the request was expected to be admitted, and was refused with 422: admission webhook "gate.example.com" denied the request: no bad ones',
    ],
  ],
  [
    'outcome: an unexpected refusal, whose Status is not compared with the object',
    bad,
    { object: { data: { a: 'b' } }, code: 201 },
    [
      'outcome: the request was expected to be admitted, and was refused with 422: admission webhook "gate.example.com" denied the request: no bad ones',
    ],
  ],
  [
    'outcome: a refusal that did not come',
    good,
    { outcome: 'refused', code: 403 },
    ['outcome: a refusal was expected, and the request was admitted with 201'],
  ],
  [
    'deniedBy: a denial that did not come',
    good,
    { deniedBy: 'a.example.com' },
    [
      'deniedBy: a refusal by a.example.com was expected, and the request was admitted with 201: a.example.com was skipped: namespaceSelector requires team=red; namespace default has kubernetes.io/metadata.name=default',
    ],
  ],
  [
    'deniedBy: a denial by one who allowed it',
    good,
    { deniedBy: 'gate.example.com' },
    [
      'deniedBy: a refusal by gate.example.com was expected, and the request was admitted with 201: gate.example.com was called and allowed the request',
    ],
  ],
  [
    'deniedBy: by a plugin',
    good,
    { deniedBy: 'NamespaceLifecycle' },
    [
      'deniedBy: a refusal by NamespaceLifecycle was expected, and the request was admitted with 201: plugin NamespaceLifecycle allowed it',
    ],
  ],
  [
    'deniedBy: by an unknown webhook',
    good,
    { deniedBy: 'missing' },
    [
      'deniedBy: a refusal by missing was expected, and the request was admitted with 201: no webhook, policy or plugin missing was evaluated',
    ],
  ],
  [
    'deniedBy: another webhook',
    bad,
    { deniedBy: 'other.example.com' },
    [
      'deniedBy: a denial by other.example.com was expected, and the refusal came from webhook gate.example.com: 422: admission webhook "gate.example.com" denied the request: no bad ones; other.example.com was called and allowed the request',
    ],
  ],
  [
    'deniedBy: misspelt',
    bad,
    { deniedBy: 'gates.example.com' },
    [
      'deniedBy: a denial by gates.example.com was expected, and the refusal came from webhook gate.example.com: 422: admission webhook "gate.example.com" denied the request: no bad ones; did you mean "gate.example.com"?',
    ],
  ],
  [
    'deniedBy: a webhook that changed it',
    bad,
    { deniedBy: 'b.example.com' },
    [
      'deniedBy: a denial by b.example.com was expected, and the refusal came from webhook gate.example.com: 422: admission webhook "gate.example.com" denied the request: no bad ones; b.example.com was called and allowed the request',
    ],
  ],
  ['code', good, { code: 200 }, ['code: 200 was expected, and the answer was 201']],
  [
    'code, reason and message of a refusal',
    bad,
    { outcome: 'refused', code: 403, reason: 'Forbidden', message: { exact: 'no' } },
    [
      'code: 403 was expected, and the answer was 422: admission webhook "gate.example.com" denied the request: no bad ones',
      'reason: Forbidden was expected, and the Status has none',
      'message: "no" was expected, and it is "admission webhook \\"gate.example.com\\" denied the request: no bad ones"',
    ],
  ],
  [
    'message: a pattern',
    bad,
    { message: { pattern: /^no$/i } },
    [
      'message: /^no$/i was expected, and it is "admission webhook \\"gate.example.com\\" denied the request: no bad ones"',
    ],
  ],
  [
    'webhooks: called, and was skipped',
    good,
    { webhooks: [expectWebhook('a.example.com', { outcome: 'called' })] },
    [
      'webhooks[0]: a.example.com was expected to be called, and was skipped: namespaceSelector requires team=red; namespace default has kubernetes.io/metadata.name=default',
    ],
  ],
  [
    'webhooks: skipped, and was called',
    good,
    { webhooks: [expectWebhook('b.example.com', { outcome: 'skipped' })] },
    ['webhooks[0]: b.example.com was expected to be skipped, and was called and allowed the request'],
  ],
  [
    'webhooks: skipped for another reason',
    good,
    { webhooks: [expectWebhook('a.example.com', { outcome: 'skipped', because: 'objectSelector' })] },
    [
      'webhooks[0]: a.example.com was expected to be skipped because of objectSelector, and was skipped: namespaceSelector requires team=red; namespace default has kubernetes.io/metadata.name=default',
    ],
  ],
  [
    'webhooks: denied, and allowed',
    good,
    { outcome: 'admitted', webhooks: [expectWebhook('gate.example.com', { outcome: 'denied' })] },
    ['webhooks[0]: gate.example.com was expected to deny the request, and was called and allowed the request'],
  ],
  [
    'webhooks: failed open, and allowed',
    good,
    { webhooks: [expectWebhook('b.example.com', { outcome: 'failed-open' })] },
    ['webhooks[0]: b.example.com was expected to fail open, and was called and allowed the request'],
  ],
  [
    'webhooks: called, and failed open',
    good,
    { webhooks: [expectWebhook('open.example.com', { outcome: 'called' })] },
    [
      'webhooks[0]: open.example.com was expected to be called, and failed open: context deadline exceeded (phase timeout)',
    ],
  ],
  [
    'webhooks: failed closed, and failed open',
    good,
    { outcome: 'admitted', webhooks: [expectWebhook('open.example.com', { outcome: 'failed-closed' })] },
    [
      'webhooks[0]: open.example.com was expected to fail closed, and failed open: context deadline exceeded (phase timeout)',
    ],
  ],
  [
    'webhooks: refused before the call',
    good,
    { outcome: 'admitted', webhooks: [expectWebhook('b.example.com', { outcome: 'refused' })] },
    [
      'webhooks[0]: b.example.com was expected to refuse the request before its call, and was called and allowed the request',
    ],
  ],
  [
    'webhooks: in a round that did not come',
    good,
    { webhooks: [expectWebhook('b.example.com', { outcome: 'called', round: 1 })] },
    [
      'webhooks[0]: b.example.com was expected to be called in round 1, and was skipped in round 1: no second call: its reinvocationPolicy is Never',
    ],
  ],
  [
    'webhooks: an unknown name',
    good,
    { webhooks: [expectWebhook('a.exmaple.com', { outcome: 'called' })] },
    ['webhooks[0]: a.exmaple.com is not a webhook of any configuration; did you mean "a.example.com"?'],
  ],
  [
    'webhooks: a name of two',
    good,
    { webhooks: [expectWebhook('same.example.com', { outcome: 'called' })] },
    ['webhooks[0]: same.example.com is the name of several webhooks; name one with configuration: second, third'],
  ],
  [
    'webhooks: times',
    good,
    {
      webhooks: [
        expectWebhook('b.example.com', { times: 2 }),
        expectWebhook('a.example.com', { times: 1 }),
        expectWebhook('b.example.com', { times: 0 }),
      ],
    },
    [
      'webhooks[0]: b.example.com was expected to be called twice, and was called once: it was skipped in round 1: no second call: its reinvocationPolicy is Never',
      'webhooks[1]: a.example.com was expected to be called once, and was not called: it was skipped: namespaceSelector requires team=red; namespace default has kubernetes.io/metadata.name=default',
      'webhooks[2]: b.example.com was expected not to be called, and was called once',
    ],
  ],
  [
    'webhooks: another patch',
    good,
    { webhooks: [expectWebhook('b.example.com', { patch: [{ op: 'add', path: '/x', value: 1 }] })] },
    [
      'webhooks[0].patch: b.example.com sent another patch: operation 0 was expected to be {"op":"add","path":"/x","value":1}, and is {"op":"add","path":"/metadata/labels","value":{"seen":"yes"}}',
    ],
  ],
  [
    'webhooks: a longer patch',
    good,
    { webhooks: [expectWebhook('b.example.com', { patch: [...label, ...label] })] },
    ['webhooks[0].patch: b.example.com sent another patch: 2 operations were expected, and there are 1'],
  ],
  [
    'webhooks: no patch',
    good,
    { webhooks: [expectWebhook('b.example.com', { patch: null })] },
    [
      'webhooks[0].patch: b.example.com was expected to send no patch, and sent [{"op":"add","path":"/metadata/labels","value":{"seen":"yes"}}]',
    ],
  ],
  [
    'webhooks: a patch that did not come',
    good,
    { webhooks: [expectWebhook('third/same.example.com', { patch: label })] },
    ['webhooks[0].patch: third/same.example.com sent no patch: it was called and allowed the request'],
  ],
  [
    'webhooks: phase',
    good,
    {
      webhooks: [expectWebhook('open.example.com', { phase: 'tls' }), expectWebhook('b.example.com', { phase: 'tls' })],
    },
    [
      'webhooks[0].phase: open.example.com was expected to fail in phase tls, and failed: context deadline exceeded (phase timeout)',
      'webhooks[1].phase: b.example.com was expected to fail in phase tls, and was called and allowed the request',
    ],
  ],
  [
    'webhooks: error',
    good,
    {
      webhooks: [
        expectWebhook('open.example.com', { error: { exact: 'no' } }),
        expectWebhook('b.example.com', { error: { pattern: /refused/ } }),
      ],
    },
    [
      'webhooks[0].error: open.example.com was expected to fail with "no", and failed with "failed calling webhook \\"open.example.com\\": failed to call webhook: Post \\"https://webhook.invalid/?timeout=2s\\": context deadline exceeded"',
      'webhooks[1].error: b.example.com was expected to fail with /refused/, and was called and allowed the request',
    ],
  ],
  [
    'webhooks: warnings',
    good,
    {
      webhooks: [
        expectWebhook('b.example.com', { warnings: [] }),
        expectWebhook('gate.example.com', { warnings: [{ exact: 'x' }] }),
      ],
    },
    [
      'webhooks[0].warnings: none was expected, and there is "mind the gap"',
      'webhooks[1].warnings: "x" was expected, and there are none',
    ],
  ],
  [
    'a finding that is not there, and one that is',
    good,
    { findings: ['undone'] },
    [
      'findings: undone was expected, and nothing of the kind was found; unchecked was not expected: stored without the change of open.example.com (first): it failed and failurePolicy is Ignore',
    ],
  ],
  [
    'webhooks: audit annotations',
    good,
    { webhooks: [expectWebhook('b.example.com', { auditAnnotations: { who: 'you', what: 'that' } })] },
    [
      'webhooks[0].auditAnnotations: who was expected to be "you", and it is "me"',
      'webhooks[0].auditAnnotations: what was expected to be "that", and it is not there',
    ],
  ],
  [
    'webhooks: a name that no configuration has',
    bad,
    { deniedBy: 'gate.example.com', webhooks: [expectWebhook('c.example.com', { outcome: 'called' })] },
    ['webhooks[0]: c.example.com is not a webhook of any configuration; did you mean "a.example.com"?'],
  ],
  [
    'order',
    good,
    { order: ['b.example.com', 'gate.example.com'] },
    [
      'order: the calls were expected to be b.example.com, gate.example.com, and were b.example.com, open.example.com, second/same.example.com, third/same.example.com, gate.example.com, other.example.com',
    ],
  ],
  [
    'warnings',
    good,
    { warnings: [{ exact: 'one' }, { pattern: /two/ }] },
    ['warnings: "one", /two/ were expected, and there is "mind the gap"'],
  ],
  ['warnings: none', good, { warnings: [] }, ['warnings: none was expected, and there is "mind the gap"']],
  [
    'auditAnnotations',
    good,
    { auditAnnotations: { 'b.example.com/who': { exact: 'you' }, 'b.example.com/woh': { exact: 'me' } } },
    [
      'auditAnnotations[b.example.com/who]: "you" was expected, and it is "me"',
      'auditAnnotations[b.example.com/woh]: "me" was expected, and it is not there; there is b.example.com/who',
    ],
  ],
  [
    'auditAnnotations: absent',
    good,
    { auditAnnotations: { 'b.example.com/who': null } },
    ['auditAnnotations[b.example.com/who]: it was expected to be absent, and is "me"'],
  ],
  [
    'object',
    good,
    { object: { data: { colour: 'red', size: 'xl' }, metadata: { labels: { seen: null } } } },
    [
      'object: data.colour was expected to be "red", and is "blue"; data.size was expected to be "xl", and is missing; metadata.labels.seen was expected to be absent, and is "yes"',
    ],
  ],
  [
    'exactly',
    good,
    {
      exactly: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'good', namespace: 'default' },
        data: { colour: 'red' },
      },
    },
    [
      'exactly: metadata.labels was expected to be absent, and is {"seen":"yes"}; data.colour was expected to be "red", and is "blue"',
    ],
  ],
  ['elapsed', good, { elapsedMs: { min: 0, max: 50 } }, ['elapsed: at most 50 ms was expected, and it took 2000 ms']],
  [
    'golden: missing',
    good,
    { golden: 'good.golden.yaml' },
    ['golden good.golden.yaml: there is no such file; kadmit test --update writes it'],
  ],
];

test.each(breaking)('%s', async (_kind, object, expectation, said) => {
  expect(await created(object, expectation)).toEqual(said);
});

const answered = (code: number, body: JsonObject): StepObservation => ({
  answer: { code, body, warnings: [], milliseconds: 0, trace: undefined },
  trace: undefined,
  earlier: [],
  known: [{ name: 'gate.example.com', configuration: 'gate' }],
  clock: 'real',
});

const deniedWith = (message: string): StepObservation =>
  answered(403, { kind: 'Status', reason: 'Forbidden', message });

/** On a server that keeps no traces: what its message shows, and what has to be left out. */
const untold: readonly [
  fact: string,
  expectation: Partial<Expectation>,
  shown: StepObservation,
  checked: CheckResult,
][] = [
  [
    'the message names the webhook',
    { deniedBy: 'gate/gate.example.com' },
    deniedWith('admission webhook "gate.example.com" denied the request: no'),
    { failures: [], leftOut: [] },
  ],
  [
    'the message names the policy',
    { deniedBy: 'no-latest' },
    deniedWith("pods \"a\" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'b' denied request: no"),
    { failures: [], leftOut: [] },
  ],
  [
    'the message names another one',
    { deniedBy: 'gate.example.com' },
    deniedWith('admission webhook "other.example.com" denied the request: no'),
    {
      failures: [
        {
          what: 'deniedBy',
          place: here,
          message:
            'a denial by gate.example.com was expected, and the refusal came from other.example.com: 403 Forbidden: admission webhook "other.example.com" denied the request: no',
        },
      ],
      leftOut: [],
    },
  ],
  [
    'the message shows nothing of a plugin',
    { deniedBy: 'LimitRanger' },
    deniedWith('pods "a" is forbidden: maximum cpu usage per Pod is 1'),
    { failures: [], leftOut: ['deniedBy: the server keeps no traces, and its message names no webhook or policy'] },
  ],
  [
    'webhooks, their order and audit annotations are not looked at, and counted',
    {
      webhooks: [expectWebhook('a.example.com', { outcome: 'called' })],
      order: ['a.example.com'],
      auditAnnotations: { a: null },
      object: { data: { a: 'b' } },
    },
    answered(201, { kind: 'ConfigMap', data: { a: 'b' } }),
    {
      failures: [],
      leftOut: [
        'webhooks: there is no trace to look at',
        'order: there is no trace to look at',
        'auditAnnotations: there is no trace to look at',
      ],
    },
  ],
  [
    'what is too quick is not excused by a real clock',
    { elapsedMs: { min: 2000, max: 2000 } },
    answered(201, {}),
    elapsed('2000 ms was expected, and it took 0 ms'),
  ],
];

function elapsed(message: string): CheckResult {
  return { failures: [{ what: 'elapsed', place: here, message }], leftOut: [] };
}

test('on a real clock machines take their time', () => {
  const shown = answered(201, {});
  const slow = { ...shown, answer: { ...shown.answer, milliseconds: 2900 } };
  const expectation = expecting({ elapsedMs: { min: 2000, max: 2000 } });
  expect(checkExpectation(expectation, slow).failures).toEqual([]);
  expect(checkExpectation(expectation, { ...slow, clock: 'virtual' }).failures).toHaveLength(1);
});

test.each(untold)('without a trace: %s', (_fact, expectation, shown, checked) => {
  expect(checkExpectation(expecting(expectation), shown)).toEqual(checked);
});

/** Lists, and what must be absent. Source: docs/reference/scenario-format.md. */
const containers = {
  containers: [
    { name: 'a', image: 'one' },
    { name: 'b', env: [{ name: 'X', value: '1' }] },
  ],
  args: ['x', 'y'],
};
const lists: readonly [fact: string, actual: JsonObject, expected: JsonObject, differences: string][] = [
  ['items with a name are found by it', containers, { containers: [{ name: 'b', env: [{ name: 'X' }] }] }, ''],
  [
    'one that is missing is named beside those there',
    containers,
    { containers: [{ name: 'c' }] },
    'containers[name=c] is missing; there is a, b',
  ],
  [
    'one that differs shows its path',
    containers,
    { containers: [{ name: 'b', env: [{ name: 'X', value: '2' }] }] },
    'containers[name=b].env[name=X].value was expected to be "2", and is "1"',
  ],
  [
    'conditions are found by their type',
    { conditions: [{ type: 'Ready', status: 'True' }] },
    { conditions: [{ type: 'Ready', status: 'False' }] },
    'conditions[type=Ready].status was expected to be "False", and is "True"',
  ],
  [
    'of several with a name one is enough',
    {
      mounts: [
        { name: 'v', path: '/a' },
        { name: 'v', path: '/b' },
      ],
    },
    { mounts: [{ name: 'v', path: '/b' }] },
    '',
  ],
  [
    'other lists are compared as a whole',
    containers,
    { args: ['x'] },
    'args was expected to be ["x"], and is ["x","y"]',
  ],
  ['item by item', containers, { args: ['x', 'z'] }, 'args[1] was expected to be "z", and is "y"'],
  ['an empty list is empty', containers, { args: [] }, 'args was expected to be [], and is ["x","y"]'],
  ['null is absent', containers, { args: null, volumes: null }, 'args was expected to be absent, and is ["x","y"]'],
  ['absence inside of what is absent', {}, { metadata: { labels: null } }, ''],
  [
    'keys with dots',
    { labels: {} },
    { labels: { 'a.b/c': 'd' } },
    'labels["a.b/c"] was expected to be "d", and is missing',
  ],
];

test.each(lists)('%s', (_fact, actual, expected, differences) => {
  expect(differencesText(missingFields(actual, expected))).toBe(differences);
});

// Validating webhooks are called at the same time: the order is that of their configurations, not of the answers.
test('a validating webhook that answers last still stands where its configuration has it', async () => {
  const slow = webhook('gate.example.com', {
    faults: [{ what: { type: 'delay', delay: { type: 'fixed', milliseconds: 50 } } }],
  });
  const outcome = await play({
    load: load.slice(-1),
    webhooks: [slow, webhook('other.example.com')],
    steps: [step({ type: 'create', object: good }, { order: ['gate.example.com', 'other.example.com'] })],
  });
  expect(failuresOf(outcome)).toEqual([]);
});
