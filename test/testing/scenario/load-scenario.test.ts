import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { asObject } from '../../../src/machinery/json/json.ts';
import { loadScenario } from '../../../src/testing/scenario/load-scenario.ts';
import type { Scenario } from '../../../src/testing/scenario/format.ts';
import { problemText } from '../../../src/testing/scenario/read/problems.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();

let count = 0;

/** Writes the files into a folder of their own and loads its scenario. */
async function load(scenario: string, files: Readonly<Record<string, string>> = {}) {
  const own = join(folder, String((count += 1)));
  for (const [name, text] of Object.entries({ 'scenario.yaml': scenario, ...files })) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    writeFileSync(join(own, name), text);
  }
  return { own, loading: await loadScenario(own) };
}

async function loaded(scenario: string, files?: Readonly<Record<string, string>>): Promise<Scenario> {
  const { loading } = await load(scenario, files);
  if (loading.outcome === 'loaded') return loading.scenario;
  throw new Error(loading.problems.map(problemText).join('\n'));
}

async function complaints(scenario: string, files?: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { own, loading } = await load(scenario, files);
  return loading.outcome === 'loaded' ? [] : loading.problems.map((one) => problemText(one).replaceAll(`${own}/`, ''));
}

const pod = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: web, image: nginx }] }
`;

test('a scenario as short as it can be', async () => {
  const scenario = await loaded('steps: [{ create: pod.yaml }]', { 'pod.yaml': pod });
  expect(scenario).toMatchObject({ clock: 'virtual', seed: 1, controllers: ['*'], authorizationMode: 'AlwaysAllow' });
  expect(scenario.steps).toMatchObject([
    { name: 'create Pod web', action: { type: 'create', object: { kind: 'Pod' } } },
  ]);
});

const stub = `webhooks:
  - { name: a.example.com, type: validating, rules: pods, does: { deny: not today } }
`;

test('a webhook with a type brings its configuration', async () => {
  const { load: manifests, webhooks } = await loaded(`${stub}steps: [{ create: pod.yaml }]`, { 'pod.yaml': pod });
  expect(webhooks).toEqual([
    {
      name: 'a.example.com',
      configuration: 'a.example.com',
      does: [{ type: 'deny', message: 'not today' }],
      faults: [],
    },
  ]);
  expect(manifests.map(({ object }) => object)).toMatchObject([
    {
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'a.example.com' },
      webhooks: [
        {
          name: 'a.example.com',
          rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['*'], resources: ['pods'] }],
          sideEffects: 'None',
        },
      ],
    },
  ]);
});

test('namespaces are loaded first and webhook configurations last', async () => {
  const scenario = await loaded(
    `${stub}load: pod.yaml\nnamespaces: { shop: { tier: "1" } }\nsteps: [{ get: pod/web }]`,
    {
      'pod.yaml': pod,
    },
  );
  expect(scenario.load.map(({ object }) => object['kind'])).toEqual([
    'Namespace',
    'Pod',
    'ValidatingWebhookConfiguration',
  ]);
  expect(scenario.load[0]?.object).toMatchObject({ metadata: { labels: { tier: '1' } } });
});

test('a file of two documents is two steps with one expectation', async () => {
  const { steps } = await loaded('steps: [{ name: both, apply: pods.yaml, namespace: shop, expect: refused }]', {
    'pods.yaml': `${pod}---\n${pod.replace('web }', 'two, namespace: own }')}`,
  });
  expect(steps).toMatchObject([
    {
      name: 'both: apply Pod shop/web',
      action: { object: { metadata: { namespace: 'shop' } } },
      expect: { outcome: 'refused' },
    },
    {
      name: 'both: apply Pod own/two',
      action: { fieldManager: 'kadmit', force: false },
      expect: { outcome: 'refused' },
    },
  ]);
});

// What a step says, and what the runner gets.
const actions: readonly [step: string, action: object][] = [
  ['{ create: { apiVersion: v1, kind: Pod }, subresource: status }', { type: 'create', subresource: 'status' }],
  [
    '{ create: { apiVersion: autoscaling/v1, kind: Scale }, target: deployment/web/scale }',
    { type: 'create', target: { resource: 'deployment', name: 'web', namespace: 'default', subresource: 'scale' } },
  ],
  ['{ apply: { apiVersion: v1, kind: Pod }, force: true, fieldManager: me }', { fieldManager: 'me', force: true }],
  ['{ patch: pod/web, merge: { a: 1 } }', { patchType: 'merge', patch: { a: 1 } }],
  [
    '{ patch: pod/web, json: [{ op: remove, path: /a }] }',
    { patchType: 'json', patch: [{ op: 'remove', path: '/a' }] },
  ],
  ['{ delete: pod/web, options: { gracePeriodSeconds: 0 } }', { type: 'delete', options: { gracePeriodSeconds: 0 } }],
  [
    '{ deletecollection: pods, namespace: a, labelSelector: x=y }',
    { target: { resource: 'pods', namespace: 'a', labelSelector: 'x=y', fieldSelector: '' } },
  ],
  [
    '{ connect: pod/web/exec, query: { command: [ls, -l], tty: true } }',
    {
      target: { resource: 'pod', name: 'web', subresource: 'exec', namespace: 'default' },
      query: { command: ['ls', '-l'], tty: ['true'] },
    },
  ],
  ['{ wait: pod/web, until: gone, timeout: 1m30s }', { until: 'gone', timeoutMs: 90_000 }],
  ['{ wait: pod/web }', { until: 'exists', timeoutMs: 30_000 }],
  ['{ wait: pod/web, until: { status: { phase: Running } } }', { until: { status: { phase: 'Running' } } }],
  ['{ advance: 1.5s }', { type: 'advance', milliseconds: 1500 }],
  [
    '{ configure: a.example.com, faults: hang }',
    { type: 'configure', webhook: 'a.example.com', change: { faults: [{ what: { type: 'hang' } }] } },
  ],
];

test.each(actions)('%s', async (step, action) => {
  const { steps } = await loaded(`${stub}steps: [${step}]`);
  expect(steps).toMatchObject([{ action }]);
});

const behaviours: readonly [does: string, read: readonly object[]][] = [
  ['allow', [{ type: 'allow' }]],
  ['deny', [{ type: 'deny' }]],
  ['{ deny: { message: m, code: 402, reason: r } }', [{ type: 'deny', message: 'm', code: 402, reason: 'r' }]],
  ['{ label: { tier: "1" } }', [{ type: 'label', labels: { tier: '1' } }]],
  [
    '[{ annotate: { a: b } }, { warn: careful }]',
    [
      { type: 'annotate', annotations: { a: 'b' } },
      { type: 'warn', warnings: ['careful'] },
    ],
  ],
  [
    '{ sidecar: { name: p, image: p:1 }, audit: { a: b } }',
    [
      { type: 'sidecar', container: { name: 'p', image: 'p:1' }, init: false },
      { type: 'audit', annotations: { a: 'b' } },
    ],
  ],
  [
    '{ initContainer: { name: p, image: p:1 } }',
    [{ type: 'sidecar', container: { name: 'p', image: 'p:1' }, init: true }],
  ],
  ['{ set: { spec.hostNetwork: false } }', [{ type: 'set', fields: { 'spec.hostNetwork': false } }]],
  [
    '{ patch: [{ op: add, path: /a, value: 1 }] }',
    [{ type: 'patch', operations: [{ op: 'add', path: '/a', value: 1 }] }],
  ],
  ['echo', [{ type: 'echo' }]],
];

test.each(behaviours)('does: %s', async (does, read) => {
  const { webhooks } = await loaded(`${stub.replace('{ deny: not today }', does)}steps: [{ get: pod/web }]`);
  expect(webhooks[0]?.does).toEqual(read);
});

const faultsRead: readonly [faults: string, read: readonly object[]][] = [
  ['hang', [{ what: { type: 'hang' } }]],
  [
    '[refuse, reset, wrongUid, wrongVersion, badPatch, dns]',
    ['refuse', 'reset', 'wrong-uid', 'wrong-version', 'bad-patch', 'dns'].map((type) => ({ what: { type } })),
  ],
  [
    '{ delay: 5s, calls: 2-4 }',
    [{ what: { type: 'delay', delay: { type: 'fixed', milliseconds: 5000 } }, calls: [2, 3, 4] }],
  ],
  [
    '{ delay: { from: 1s, to: 2s }, calls: 1 }',
    [{ what: { type: 'delay', delay: { type: 'uniform', from: 1000, to: 2000 } }, calls: [1] }],
  ],
  [
    '{ slowBody: { median: 1s } }',
    [{ what: { type: 'slow-body', delay: { type: 'lognormal', median: 1000, sigma: 0.5 } } }],
  ],
  ['{ status: 503, probability: 0.5 }', [{ what: { type: 'status', code: 503 }, probability: 0.5 }]],
  ['{ status: { code: 500, body: oops } }', [{ what: { type: 'status', code: 500, body: 'oops' } }]],
  ['{ garbage: <html>, namespaces: [shop] }', [{ what: { type: 'garbage', body: '<html>' }, namespaces: ['shop'] }]],
  ['garbage', [{ what: { type: 'garbage' } }]],
  ['{ tls: expired }', [{ what: { type: 'tls-expired' } }]],
  ['{ dns: fail }', [{ what: { type: 'dns' } }]],
];

test.each(faultsRead)('faults: %s', async (faults, read) => {
  const { webhooks } = await loaded(`${stub.replace('does:', `faults: ${faults}, does:`)}steps: [{ get: pod/web }]`);
  expect(webhooks[0]?.faults).toEqual(read);
});

const expectations: readonly [expectation: string, read: object][] = [
  ['admitted', { outcome: 'admitted' }],
  ['{ deniedBy: a.example.com }', { outcome: 'refused', deniedBy: 'a.example.com' }],
  ['{ code: 201 }', { outcome: 'admitted', code: 201 }],
  ['{ message: no more }', { outcome: 'refused', message: { exact: 'no more' } }],
  ['{ message: /no (more|less)/i }', { message: { pattern: /no (more|less)/i } }],
  ['{ message: { contains: a.b } }', { message: { pattern: /a\.b/ } }],
  ['{ webhooks: { a.example.com: called } }', { webhooks: [{ name: 'a.example.com', outcome: 'called' }] }],
  [
    '{ webhooks: [{ name: a.example.com, skipped: objectSelector, round: 1 }] }',
    { webhooks: [{ outcome: 'skipped', because: 'objectSelector', round: 1 }] },
  ],
  ['{ webhooks: { a.example.com: { patch: none, times: 2 } } }', { webhooks: [{ patch: null, times: 2 }] }],
  ['{ warnings: careful }', { warnings: [{ exact: 'careful' }] }],
  ['{ warnings: [] }', { warnings: [] }],
  ['{ auditAnnotations: { a: b, c: null } }', { auditAnnotations: { a: { exact: 'b' }, c: null } }],
  ['{ elapsed: 34s }', { elapsedMs: { min: 34_000, max: 34_000 } }],
  ['{ elapsed: { max: 1s } }', { elapsedMs: { min: 0, max: 1000 } }],
];

test.each(expectations)('expect: %s', async (expectation, read) => {
  const { steps } = await loaded(`${stub}steps: [{ get: pod/web, expect: ${expectation} }]`);
  expect(steps[0]?.expect).toMatchObject(read);
});

test('a golden file stands beside the scenario', async () => {
  const { folder: own, steps } = await loaded('steps: [{ get: pod/web, expect: { golden: web.golden.yaml } }]');
  expect(steps[0]?.expect.golden).toBe(join(own, 'web.golden.yaml'));
});

test('one with an absolute path is an error at its place', async () => {
  expect(await complaints('steps:\n- get: pod/web\n  expect: { golden: /absolute.yaml }\n')).toEqual([
    'scenario.yaml:3:21: steps[0].expect.golden: /absolute.yaml is an absolute path: give one below the folder of the scenario',
  ]);
});

// Source: apiserver pkg/authentication/serviceaccount/util.go; a server adds system:authenticated itself.
test('users have the groups that a server adds', async () => {
  const { steps } = await loaded(`users: { alice: { groups: [devs] } }
steps:
  - { get: pod/a, as: alice }
  - { get: pod/a, as: bob }
  - { get: pod/a, as: system:serviceaccount:shop:builder }
  - { get: pod/a, as: { username: carol, uid: u, extra: { scopes: [a] } } }
  - { get: pod/a }`);
  expect(steps.map(({ as }) => as)).toEqual([
    { username: 'alice', groups: ['devs', 'system:authenticated'] },
    { username: 'bob', groups: ['system:authenticated'] },
    {
      username: 'system:serviceaccount:shop:builder',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
    },
    { username: 'carol', uid: 'u', groups: ['system:authenticated'], extra: { scopes: ['a'] } },
    undefined,
  ]);
});

test('a matrix in its short forms', async () => {
  const { matrix } = await loaded(
    `webhooks:
  - { name: a.example.com, type: mutating, rules: pods, configuration: first }
  - { name: b.example.com, type: mutating, rules: pods, configuration: second }
steps: [{ create: pod.yaml, when: { fault: [hang, status 503] } }]
matrix: { order: all, fault: [none, hang, { status: 503 }], failurePolicy: [Fail], size: { big: { webhooks: { b.example.com: { timeoutSeconds: 1 } } } } }
`,
    { 'pod.yaml': pod },
  );
  expect(matrix).toEqual([
    {
      name: 'order',
      values: [
        { name: 'first < second', change: { order: ['first', 'second'] } },
        { name: 'second < first', change: { order: ['second', 'first'] } },
      ],
    },
    {
      name: 'fault',
      values: [
        { name: 'none', change: { webhooks: [{ name: '*', faults: [] }] } },
        { name: 'hang', change: { webhooks: [{ name: '*', faults: [{ what: { type: 'hang' } }] }] } },
        {
          name: 'status 503',
          change: { webhooks: [{ name: '*', faults: [{ what: { type: 'status', code: 503 } }] }] },
        },
      ],
    },
    {
      name: 'failurePolicy',
      values: [{ name: 'Fail', change: { webhooks: [{ name: '*', fields: { failurePolicy: 'Fail' } }] } }],
    },
    {
      name: 'size',
      values: [{ name: 'big', change: { webhooks: [{ name: 'b.example.com', fields: { timeoutSeconds: 1 } }] } }],
    },
  ]);
});

// One scenario that is wrong, and every line that is said about it.
const complaintsAbout: readonly [scenario: string, lines: readonly string[]][] = [
  [
    `steps:\n  - { create: pod.yaml, expect: { denyBy: x } }`,
    ['2:35: steps[0].expect.denyBy: unknown field; did you mean "deniedBy"?'],
  ],
  // F11: `warn` is two edits of four letters away.
  [
    'webhooks: [{ name: a.x.io, type: mutating, rules: pods, does: { deny: x, when: true } }]\nsteps: [{ create: pod.yaml }]',
    ['1:74: webhooks[0].does.when: unknown field'],
  ],
  [
    'converters: [{ definition: a.x.io, script: a.js }]\nsteps: [{ create: pod.yaml }]',
    ['1:36: converters[0].script: unknown field; it belongs under does'],
  ],
  ['steps: [{ create: pot.yaml }]', ['1:19: steps[0].create: there is no file pot.yaml; did you mean "pod.yaml"?']],
  ['steps: [{ create: there/pod.yaml }]', ['1:19: steps[0].create: there is no file there/pod.yaml']],
  [
    'steps: [{ create: 5, dryRun: maybe, expect: admited }]\nseed: x\nclock: virtul\nload: 5\n',
    [
      '1:19: steps[0].create: must be a string or a mapping, not the number 5: put it in quotes',
      '1:30: steps[0].dryRun: must be true or false, not the string "maybe"',
      '1:45: steps[0].expect: "admited" is none of admitted, refused; did you mean "admitted"?',
      '2:7: seed: must be an integer, not the string "x"',
      '3:8: clock: "virtul" is none of virtual, real; did you mean "virtual"?',
      '4:7: load: must be a string, a mapping or a list, not the number 5: put it in quotes',
    ],
  ],
  [
    'webhooks: [{ name: a.example.com, does: { allow: false } }]\nsteps: [{ create: pod.yaml }]',
    ['1:50: webhooks[0].does.allow: must be true, or in its place {deny: TEXT}'],
  ],
  [
    'webhooks: [{ name: a.example.com, faults: tlsExpired }]\nsteps: [{ create: pod.yaml }]',
    [
      '1:43: webhooks[0].faults: "tlsExpired" is none of hang, refuse, reset, garbage, wrongUid, wrongVersion, badPatch, dns, {delay: 5s}, {slowBody: 5s}, {status: 503}, {tls: expired}, {tls: wrongName}, {tls: unknownCA}, {tls: oldProtocol}; did you mean {tls: expired}?',
    ],
  ],
  [
    'steps: [{ wait: pod/a, timeout: 10 }]',
    [
      '1:33: steps[0].timeout: must be a string, not the number 10: write a time with its unit, such as 5s, 250ms or 1m30s',
    ],
  ],
  [
    'steps: [{ create: pod.yaml, expect: { message: no } }]',
    ['1:48: steps[0].expect.message: must be a string or a mapping, not false: put it in quotes'],
  ],
  // What YAML makes of texts without quotes.
  [
    'name: a: b\nsteps: [{ get: pod/a }]',
    ['1:7: a second ": " after the key: put the text in quotes, or the mapping on lines of its own'],
  ],
  [
    'steps: [{ get: pod/a, expect: { message: denied: no } }]',
    ['1:42: a second ": " after the key: put the text in quotes, or the mapping on lines of its own'],
  ],
  [
    'steps: [{ get: pod/a }]\nwebhooks:\n  - name: a\n    rules: * */*',
    ['4:12: a string that begins with * needs quotes; without them it is an alias'],
  ],
  ['name: @a\nsteps: [{ get: pod/a }]', ['1:7: a string that begins with @ needs quotes']],
  [
    'name: "a\\d"\nsteps: [{ get: pod/a }]',
    ['1:9: Invalid escape sequence \\d: write \\\\ in double quotes, or use single quotes'],
  ],
  ['steps:\n\t- get: pod/a', ['2:1: a tab at the beginning of the line: YAML wants spaces there']],
  [
    'name\nsteps: [{ get: pod/a }]',
    ['1:1: Implicit keys need to be on a single line: is a ": " missing, or the indentation wrong?'],
  ],
  [
    'steps: [{ get: pod/a }]\nwebhooks: [{ name: a.b.c, type: mutating, rules: [pod, CREATE deployments, "*", widgets.example.com] }]',
    [
      '2:51: webhooks[0].rules[0]: no resource without a group is called pod; did you mean "pods"?',
      '2:56: webhooks[0].rules[1]: no resource without a group is called deployments; with its group it is deployments.GROUP, such as deployments.apps',
    ],
  ],
  [
    'steps: [{ advance: "5" }]',
    ['1:20: steps[0].advance: "5" is not a time with its unit, such as 5s, 250ms or 1m30s'],
  ],
  ['steps: [{ delete: pod/x, merge: {} }]', ['1:26: steps[0].merge: only goes together with patch']],
  [
    'steps: [{ get: pod/a }]\nnamespaces: { a: { b: yes } }',
    ['2:23: namespaces.a.b: must be a string, not true: put it in quotes'],
  ],
  ['steps: []', ['1:8: steps: must not be empty']],
  ['name: x', ['1:1: steps is missing']],
  ['', ['1:1: the file is empty: a scenario needs steps']],
  [
    'steps: [{ get: pod/a }]\n---\nsteps: []',
    ['3:1: one scenario is one document: move this one to a folder of its own'],
  ],
  [
    'steps: [{ get: pod/a }',
    ['1:23: Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ],
  ['name: a\nname: b\nsteps: [{ get: pod/a }]', ['2:1: this key is there already']],
  ['steps: [{ get: pod/a, get: pod/b }]', ['1:23: this key is there already']],
  [
    'steps: [{ expect: refused }]',
    [
      '1:9: steps[0]: has no action: add one of create, update, apply, patch, delete, deletecollection, connect, get, wait, advance, configure',
    ],
  ],
  ['steps: [{ get: pod/a, delete: pod/a }]', ['1:9: steps[0]: does get and delete: make a step of each']],
  [
    'steps: [{ delete: pod.yaml }]',
    ['1:19: steps[0].delete: "pod.yaml" is not RESOURCE/NAME, such as pod/web or deployment/web/scale'],
  ],
  ['steps: [{ patch: pod/web }]', ['1:9: steps[0]: has no patch: add merge, strategic or json']],
  [
    'steps: [{ get: pod/a, expect: { message: "/(/" } }]',
    ['1:42: steps[0].expect.message: Invalid regular expression: /(/: Unterminated group'],
  ],
  [
    `steps: [{ get: pod/a, expect: { webhooks: { b.example.com: called } } }]\n${stub}`,
    [
      '1:60: steps[0].expect.webhooks["b.example.com"]: no webhook b.example.com in the configurations; did you mean "a.example.com"?',
    ],
  ],
  [
    'steps: [{ get: pod/a }]\nwebhooks: [{ name: x.y.z, does: allow }]',
    [
      '2:20: webhooks[0].name: no webhook x.y.z, since no configuration is loaded: add one to load, or type: mutating or validating here',
    ],
  ],
  [
    `steps: [{ get: pod/a, when: { fult: hang } }]\nmatrix: { fault: [none, hang] }`,
    ['1:31: steps[0].when.fult: the matrix has no axis fult; did you mean "fault"?'],
  ],
  [
    `steps: [{ get: pod/a, when: { fault: hag } }]\nmatrix: { fault: [none, hang] }`,
    ['1:38: steps[0].when.fault: fault has no value hag; did you mean "hang"?'],
  ],
  [
    'steps: [{ get: pod/a }]\nmatrix: { order: [[first]] }',
    ['2:20: matrix.order[0][0]: there is no mutating configuration first'],
  ],
  [
    'steps: [{ get: pod/a }]\nmatrix: { order: all }',
    ['2:18: matrix.order: there is one order only: fewer than two mutating configurations are loaded'],
  ],
  [
    `steps: [{ configure: a.exmple.com, faults: hang }]\n${stub}`,
    ['1:22: steps[0].configure: no webhook a.exmple.com in webhooks; did you mean "a.example.com"?'],
  ],
  [`steps: [{ configure: a.example.com }]\n${stub}`, ['1:9: steps[0]: changes nothing: add does, faults or to']],
  [
    'steps: [{ get: pod/a }]\nwebhooks: [{ name: a, type: mutating, rules: FETCH pods, does: { script: hook.ts } }]',
    [
      '2:46: webhooks[0].rules: FETCH is none of CREATE, UPDATE, DELETE, CONNECT, *',
      '2:74: webhooks[0].does.script: there is no file hook.ts',
    ],
  ],
  [
    'steps: [{ get: pod/a }]\nwebhooks: [{ name: a, type: mutating, rules: pods, faults: [{ calls: 1 }, { hang: true, reset: true }] }]',
    [
      '2:61: webhooks[0].faults[0]: has no fault: add one of delay, hang, refuse, reset, slowBody, status, garbage, wrongUid, wrongVersion, badPatch, tls, dns',
      '2:75: webhooks[0].faults[1]: is two faults in one: make it a list',
    ],
  ],
  [
    'steps: [{ get: pod/a }]\napiFaults: [{ calls: 1 }, { conflict: true, tooManyRequests: 2 }]',
    [
      '2:13: apiFaults[0]: has no fault: add one of conflict and tooManyRequests',
      '2:27: apiFaults[1]: has no fault: add one of conflict and tooManyRequests',
    ],
  ],
];

test.each(complaintsAbout)('%j', async (scenario, lines) => {
  expect(await complaints(scenario, { 'pod.yaml': pod })).toEqual(lines.map((line) => `scenario.yaml:${line}`));
});

test.each([Buffer.from('name: caf\u00e9', 'latin1'), Buffer.from('\uFEFFname: a', 'utf16le')])(
  'a file that is not in UTF-8 is a complaint',
  async (bytes) => {
    const file = join(folder, 'latin.yaml');
    writeFileSync(file, bytes);
    const loading = await loadScenario(file);
    expect(loading).toMatchObject({ problems: [{ message: 'is no text in UTF-8: save it in that encoding' }] });
  },
);

test('webhooks go by their configuration too, where a name comes twice', async () => {
  const { steps } = await loaded(
    `webhooks: [{ name: a.b.c, type: mutating, configuration: one, rules: pods }]
steps: [{ get: pod/a, expect: { order: [one/a.b.c], webhooks: { one/a.b.c: { type: mutating } } } }]`,
  );
  expect(steps[0]?.expect).toMatchObject({ order: ['one/a.b.c'], webhooks: [{ admission: 'mutating' }] });
});

test('places inside manifests are those of their files', async () => {
  expect(
    await complaints('load: [all.yaml]\nsteps: [{ get: pod/a }]', { 'all.yaml': `${pod}---\nkind: Pod\n---\n- 1\n` }),
  ).toEqual(['all.yaml:6:1: apiVersion is missing', 'all.yaml:8:1: an object with apiVersion and kind is expected']);
});

test('of a configuration of a version that is gone it is said what to change', async () => {
  const configuration = `apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingWebhookConfiguration
metadata: { name: old }
webhooks: [{ name: a.example.com, failurePolicy: Fail }]
`;
  expect(await complaints('load: old.yaml\nsteps: [{ get: pod/a }]', { 'old.yaml': configuration })).toEqual([
    'old.yaml:1:13: apiVersion: admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration is gone since Kubernetes 1.22: ' +
      'write apiVersion: admissionregistration.k8s.io/v1; webhooks[0] a.example.com: sideEffects has to be None or NoneOnDryRun, ' +
      'admissionReviewVersions is required (it was [v1beta1] by default), to keep what was the default add matchPolicy: Exact, timeoutSeconds: 30',
  ]);
});

test('a mapping of very many keys, each of them unknown', async () => {
  const keys = Array.from({ length: 60_000 }, (_none, at) => `k${at}: 1`);
  const said = await complaints(`steps: [{ get: pod/a }]\n${keys.join('\n')}`);
  expect(said.slice(0, 2)).toEqual(['scenario.yaml:2:1: k0: unknown field', 'scenario.yaml:3:1: k1: unknown field']);
});

test('a folder of manifests, with links that lead nowhere or in a circle', async () => {
  const { own, loading } = await load('load: all\nsteps: [{ get: pod/a }]', {
    'all/b.yaml': pod,
    'all/a/c.yml': pod,
    'all/notes.md': 'x',
    'all/scenario.yaml': 'x',
  });
  expect(loading.outcome === 'loaded' && loading.scenario.load.map(({ place }) => place.file)).toEqual([
    `${own}/all/a/c.yml`,
    `${own}/all/b.yaml`,
  ]);
  symlinkSync('..', join(own, 'all/circle'));
  symlinkSync('nowhere', join(own, 'all/z.yaml'));
  const again = await loadScenario(own);
  expect(again.outcome === 'unreadable' && again.problems.map(problemText)).toEqual([
    `${own}/all/z.yaml:1:1: there is no such file`,
  ]);
});

test('a scenario that is not there', async () => {
  const loading = await loadScenario(join(folder, 'nowhere.yaml'));
  expect(loading).toMatchObject({ outcome: 'unreadable', problems: [{ message: 'there is no such file' }] });
});

const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec: { group: example.com, names: { plural: widgets, kind: Widget } }
`;
const patchOf = 'kind: CustomResourceDefinition\nmetadata: { name: widgets.example.com }\nspec: { conversion: {} }\n';
const steps = 'steps: [{ create: pod.yaml }]\n';

test('of a folder in crds the definitions are read, and nothing else that lies there', async () => {
  const files = { 'crd/a.yaml': widgets, 'crd/kustomization.yaml': 'resources: [a.yaml]', 'crd/patch.yaml': patchOf };
  const { load: manifests } = await loaded(`crds: crd\n${steps}`, { ...files, 'pod.yaml': pod });
  expect(manifests.map(({ object }) => object['kind'])).toEqual(['CustomResourceDefinition']);
});

test.each([
  ['crds: pod.yaml', 'pod.yaml:1:1: Pod is no CustomResourceDefinition: put it into load'],
  ['crds: empty', 'scenario.yaml:1:7: crds: "empty" contains no CustomResourceDefinition'],
  [
    'crds: a.yaml\nconverters: [{ definition: widget.example.com }]',
    'scenario.yaml:2:28: converters[0].definition: no CustomResourceDefinition widget.example.com in crds or load; did you mean "widgets.example.com"?',
  ],
  [
    'crds: a.yaml\nconverters: [{ definition: widgets.example.com, faults: badPatch }]',
    'scenario.yaml:2:57: converters[0].faults: a converter sends no patch that could be bad',
  ],
])('%j: %s', async (head, complaint) => {
  const files = { 'a.yaml': widgets, 'pod.yaml': pod, 'empty/pod.yaml': pod };
  expect(await complaints(`${head}\n${steps}`, files)).toEqual([complaint]);
});

test('a definition that names no converter gets the one that is named, another keeps its own', async () => {
  const own = `${widgets.replaceAll('widgets', 'gadgets').trimEnd().slice(0, -1)}, conversion: { strategy: Webhook } }\n`;
  const converters = 'converters: [{ definition: widgets.example.com }, { definition: gadgets.example.com }]';
  const files = { 'a.yaml': widgets, 'b.yaml': own, 'pod.yaml': pod };
  const scenario = await loaded(`crds: [a.yaml, b.yaml]\n${converters}\n${steps}`, files);
  expect(scenario.converters?.map(({ name }) => name)).toEqual([
    'conversion_webhook_for_widgets.example.com',
    'conversion_webhook_for_gadgets.example.com',
  ]);
  const service = { namespace: 'default', name: 'converters', path: '/widgets.example.com' };
  expect(scenario.load.map(({ object }) => asObject(object['spec'])['conversion'])).toEqual([
    { strategy: 'Webhook', webhook: { clientConfig: { service }, conversionReviewVersions: ['v1'] } },
    { strategy: 'Webhook' },
  ]);
});

const plugin = (fields: string): string => `export default { name: 'Mine', mutate() {}, ${fields} };\n`;

test('plugins are files, in the order given', async () => {
  const files = { 'a.mjs': plugin("before: 'Priority'"), 'b.ts': plugin("name: 'Other', after: 'Mine'") };
  const { plugins } = await loaded('plugins: [a.mjs, b.ts]\nsteps: [{ get: pod/a }]', files);
  expect(plugins?.map((one) => one.plugin.name)).toEqual(['Mine', 'Other']);
});

test('each run has a plugin with variables of its own', async () => {
  const counting = `let n = 0;\nexport default { name: 'Mine', validate({ deny }) { deny(String((n += 1))); } };\n`;
  const { plugins = [] } = await loaded('plugins: a.mjs\nsteps: [{ get: pod/a }]', { 'a.mjs': counting });
  const said = async (validate: unknown): Promise<unknown> => {
    let text: unknown;
    if (typeof validate === 'function') await validate({ deny: (message: string) => (text = message) });
    return text;
  };
  const [one, two] = plugins.flatMap(({ another }) => [another(), another()]);
  expect([await said(one?.validate), await said(one?.validate), await said(two?.validate)]).toEqual(['1', '2', '1']);
});

test('plugins that cannot be: place, path and reason', async () => {
  const scenario = 'plugins: [a.mjs, none.mjs, b.mjs]\nsteps: [{ get: pod/a }]';
  const files = { 'a.mjs': plugin("before: 'Unknown'"), 'b.mjs': 'export const name = 1;\n' };
  const [unplaced, missing, empty] = await complaints(scenario, files);
  expect(unplaced).toMatch(
    /^scenario.yaml:1:11: plugins\[0\]: .*a\.mjs: there is no plugin Unknown that Mine could run before$/,
  );
  expect(missing).toMatch(/:1:18: plugins\[1\]: there is no file none.mjs/);
  expect(empty).toMatch(/:1:28: plugins\[2\]: .*b\.mjs: a plugin is \{ name, mutate/);
});

test('without scripts a plugin is not loaded, and the scenario says that it needs one', async () => {
  const { own } = await load('plugins: a.mjs\nsteps: [{ get: pod/a }]', { 'a.mjs': 'throw new Error("loaded");\n' });
  expect(await loadScenario(own, { noScripts: true })).toMatchObject({ outcome: 'loaded', isLacking: true });
});

const inline = (code: string): string =>
  `webhooks:
  - name: a
    type: mutating
    rules: pods
    does:
      script: |
        ${code}
steps: [{ get: pod/a }]`;

test('a script of several lines is the code itself, with imports beside the scenario', async () => {
  const code = "import { no } from './no.ts'; export default (review: object) => ({ allowed: false, ...no });";
  const { loading } = await load(inline(code), { 'no.ts': "export const no = { status: { message: 'no' } };" });
  const [webhook] = loading.outcome === 'loaded' ? loading.scenario.webhooks : [];
  const [behaviour] = webhook?.does ?? [];
  const run = behaviour?.type === 'script' ? behaviour.run : undefined;
  expect(await run?.({})).toEqual({ allowed: false, status: { message: 'no' } });
});

test('an inline script that cannot be: place, path and reason', async () => {
  const [problem] = await complaints(inline('export const a = 1;'));
  expect(problem).toMatch(
    /^scenario.yaml:6:15: webhooks\[0\]\.does\.script: .*inline-script\.ts:1: exports no function: write/,
  );
});
