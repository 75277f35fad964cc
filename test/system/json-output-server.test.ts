import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { benchCommand } from '../../src/app/cli/bench/bench.ts';
import type { Command } from '../../src/app/cli/command.ts';
import { loadCommands } from '../../src/app/cli/run.ts';
import { doctorCommand } from '../../src/app/cli/doctor/doctor.ts';
import { doctorCodes } from '../../src/app/cli/doctor/checks.ts';
import { mapCommand } from '../../src/app/cli/map/map.ts';
import { recordCommand } from '../../src/app/cli/record/record.ts';
import { replayCommand } from '../../src/app/cli/replay/replay.ts';
import { snapshotCommand } from '../../src/app/cli/snapshot/snapshot.ts';
import { testCommand } from '../../src/app/cli/test/test.ts';
import { traceCommand } from '../../src/app/cli/trace/trace.ts';
import { userCommand } from '../../src/app/cli/user/user.ts';
import { type Kadmit, startKadmit } from '../../src/app/library/start-kadmit.ts';
import { asList, asObject, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import { documentOf, schemaOf } from '../harness/json-documents.ts';
import { commandContext } from '../harness/command-context.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// Commands that need a server: a dozen documents of each, of one server with webhooks and one without.
const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);
let kadmit: Kadmit;
let empty: Kadmit;
let stub: Server;
let stubUrl: string;

const pod = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
});

const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

const rules = [{ operations: ['CREATE' as const], resources: ['pods'] }];

const unreachable = (
  name: string,
  failurePolicy: 'Fail' | 'Ignore',
  clientConfig: object,
  resource = 'endpoints',
): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name },
  webhooks: [
    {
      name: `${name}.example.com`,
      failurePolicy,
      clientConfig,
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: [resource] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
});

beforeAll(async () => {
  [kadmit, empty] = await Promise.all([startKadmit(), startKadmit()]);
  await kadmit.webhook('labels.example.com', { type: 'mutating', rules }, () => ({
    patch: [{ op: 'add', path: '/metadata/annotations', value: { team: 'a' } }],
    warnings: ['a warning'],
  }));
  await kadmit.webhook('checks.example.com', { type: 'validating', rules }, ({ request: { name = '' } }) => ({
    allowed: !name.startsWith('bad'),
  }));
  await kadmit.client.create(pod('good'));
  await kadmit.client.create(pod('bad')).catch(() => {});
  await kadmit.load(
    unreachable('gone', 'Fail', { url: 'https://127.0.0.1:9/' }),
    unreachable('gone-too', 'Ignore', { service: { namespace: 'shop', name: 'hooks' } }),
  );
  stub = createServer((request, response) => void respond(request, response));
  await once(stub.listen(0, '127.0.0.1'), 'listening');
  const address = stub.address();
  stubUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  for (const [name, object] of Object.entries({ pod: pod('web'), map: configMap('map'), bad: pod('bad') }))
    writeFileSync(path(`${name}.json`), JSON.stringify(object));
  writeFileSync(path('broken'), 'a: [');
  const kubeconfig = readFileSync(kadmit.kubeconfigPath, 'utf8');
  writeFileSync(path('closed'), kubeconfig.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:9'));
  writeFileSync(
    path('other'),
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: stubUrl } }],
      users: [{ name: 'a', user: { token: 'a' } }],
    }),
  );
  await run('user', userCommand, ['alice', '--out', path('alice')]);
});

afterAll(async () => {
  stub.close();
  await Promise.all([kadmit.close(), empty.close()]);
});

const patchOf = (value: object): string =>
  Buffer.from(JSON.stringify([{ op: 'add', path: '/metadata/annotations', value }])).toString('base64');

/** Responses to a review, by path. */
const responses: Readonly<Record<string, object>> = {
  '/same': { patchType: 'JSONPatch', patch: patchOf({ team: 'a' }), warnings: ['a warning'] },
  '/quiet': { patchType: 'JSONPatch', patch: patchOf({ team: 'a' }) },
  '/other-patch': { patchType: 'JSONPatch', patch: patchOf({ team: 'b' }) },
  '/no-patch': {},
  '/wrong-patch': { patchType: 'JSONPatch', patch: 'bm8=' },
  '/unapplicable': {
    patchType: 'JSONPatch',
    patch: Buffer.from('[{"op":"remove","path":"/spec/none"}]').toString('base64'),
  },
  '/denied': { allowed: false, status: { code: 422, reason: 'Invalid', message: 'no' } },
  '/annotated': { auditAnnotations: { a: 'b' } },
  '/uid': { uid: 'another' },
};

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [url = ''] = (request.url ?? '').split('?');
  if (url === '/version') return void response.end('{"gitVersion":"v1.37.2"}');
  if (url === '/text') return void response.end('no JSON');
  const found = responses[url];
  if (found === undefined) return void response.writeHead(500).end('{}');
  const { uid } = asObject(asObject((await json(request)) as JsonObject)['request']);
  const body = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, allowed: true, ...found },
  };
  response.end(JSON.stringify(body));
}

/** The document matches the schema. */
async function run(schema: string, command: Command, args: readonly string[]): Promise<unknown> {
  const server =
    args.includes('--kubeconfig') || command === testCommand ? [] : ['--kubeconfig', kadmit.kubeconfigPath];
  const document = await documentOf(command, [...args, ...server, '-o', 'json'], commandContext);
  const validate = schemaOf(schema);
  validate(document);
  expect(validate.errors, `kadmit ${command.name} ${args.join(' ')}`).toBeNull();
  expect(validate({ more: 1 })).toBe(false);
  return document;
}

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

test('kadmit bench: a dozen documents match the schema', async () => {
  const calls = [
    'map.json',
    'map.json --dry-run',
    'map.json --mix create=1',
    'map.json --mix create=1,delete=1',
    'map.json --seed 2 --concurrency 1',
    'map.json --threshold p99<100s',
    'map.json --threshold errors<1%,p50<1ms',
    'pod.json',
    'pod.json --dry-run',
    'pod.json map.json',
    'pod.json --threshold webhook:labels.example.com.p99<100s',
    'bad.json',
    `map.json --kubeconfig ${path('alice')}`,
  ];
  expect(calls.length).toBeGreaterThanOrEqual(12);
  for (const call of calls) {
    const args = words(call).map((word) => (word.endsWith('.json') ? path(word) : word));
    await run('bench', benchCommand, [...args, '--rate', '100', '--duration', '50ms']);
  }
});

test('kadmit doctor: a dozen documents match the schema', async () => {
  vi.stubEnv('KUBECONFIG', '');
  const calls: readonly (() => Promise<unknown>)[] = [
    kadmit.kubeconfigPath,
    empty.kubeconfigPath,
    path('nothing'),
    path('broken'),
    path('closed'),
    path('other'),
    path('alice'),
  ].map((kubeconfig) => () => run('doctor', doctorCommand, ['--kubeconfig', kubeconfig]));
  const with_ = (variables: Readonly<Record<string, string>>) => () => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    return run('doctor', doctorCommand, []);
  };
  const inEnvironments = [
    { KUBECONFIG: kadmit.kubeconfigPath },
    { KUBECONFIG: path('nothing') },
    { KUBECONFIG: `${path('broken')}:${path('other')}` },
    { KUBECONFIG: '', PATH: folder },
    { HOME: folder },
  ].map(with_);
  const all = [...calls, ...inEnvironments];
  expect(all.length).toBeGreaterThanOrEqual(12);
  try {
    const codes = new Set<unknown>();
    for (const call of all) for (const check of asList((await call()) as JsonValue)) codes.add(asObject(check)['code']);
    expect(codes).toEqual(new Set(doctorCodes));
  } finally {
    vi.unstubAllEnvs();
  }
});

test('kadmit map: a dozen documents match the schema', async () => {
  const calls = [
    '',
    'a/b=https://127.0.0.1:9',
    'a/b:443=https://127.0.0.1:9',
    'a/*=https://127.0.0.1:9',
    '*=https://127.0.0.1:9',
    'https://hooks.example.com=https://127.0.0.1:9',
    'https://hooks.example.com:8443=http://127.0.0.1:9/path',
    'c/d=http://localhost:9 c/e=http://[::1]:9',
    '--remove a/b',
    '--remove *',
    'a/b=https://127.0.0.1:10 --remove a/*',
    `--kubeconfig ${empty.kubeconfigPath}`,
  ];
  expect(calls.length).toBeGreaterThanOrEqual(12);
  for (const call of calls) await run('map', mapCommand, words(call));
});

test('kadmit replay: a dozen documents match the schema', async () => {
  const id = kadmit.traces.last({ name: 'good' }).id;
  writeFileSync(path('trace.json'), JSON.stringify(kadmit.traces.last({ name: 'good' })));
  const calls: readonly (readonly [url: string, webhook: string, parts: readonly string[]])[] = [
    ['/same', 'labels.example.com', []],
    ['/quiet', 'labels.example.com', ['warnings']],
    ['/other-patch', 'labels.example.com', ['patch', 'object', 'warnings']],
    ['/no-patch', 'labels.example.com', ['patch', 'object', 'warnings']],
    ['/wrong-patch', 'labels.example.com', ['outcome', 'error', 'patch', 'object', 'warnings']],
    ['/unapplicable', 'labels.example.com', ['outcome', 'error', 'patch', 'object', 'warnings']],
    ['/denied', 'labels.example.com', ['outcome', 'status', 'patch', 'object', 'warnings']],
    ['/annotated', 'labels.example.com', ['patch', 'object', 'warnings', 'auditAnnotations']],
    ['/uid', 'labels.example.com', ['outcome', 'error', 'patch', 'object', 'warnings']],
    ['/text', 'labels.example.com', ['outcome', 'error', 'patch', 'object', 'warnings']],
    ['/none', 'labels.example.com', ['outcome', 'error', 'patch', 'object', 'warnings']],
    ['/no-patch', 'checks.example.com', []],
    ['/denied', 'checks.example.com', ['outcome', 'status']],
  ];
  expect(calls.length).toBeGreaterThanOrEqual(12);
  for (const [url, webhook, parts] of calls) {
    const document = await run('replay', replayCommand, [id, '--to', `${stubUrl}${url}`, '--webhook', webhook]);
    const differences = asList(asObject(document as JsonObject)['differences']);
    expect(
      differences.map((one) => asObject(one)['part']),
      `${url} ${webhook} ${JSON.stringify(document)}`,
    ).toEqual(parts);
  }
  await run('replay', replayCommand, [
    '--from',
    path('trace.json'),
    '--to',
    `${stubUrl}/same`,
    '--webhook',
    'labels.example.com',
  ]);
});

test('kadmit user: a dozen documents match the schema', async () => {
  const names = ['ann', 'system:serviceaccount:shop:default', 'a b', 'ä', 'system:node:one', 'a/b'];
  const calls = names.flatMap((name) => [[name], ['--group', 'devs', '--group', 'ops', '--uid', '1', name]]);
  expect(calls.length).toBeGreaterThanOrEqual(12);
  for (const call of calls) await run('user', userCommand, call);
});

test('kadmit trace export: a dozen documents match the schema', async () => {
  const id = kadmit.traces.last({ name: 'good' }).id;
  const each = ['last', 'all', id].flatMap((which) => [[which], [which, '--show-secrets']]);
  const calls = [
    ...each.map((args, at) => [...args, '--out', path(`trace-${at}.html`)]),
    ...['all', id]
      .flatMap((which) => [[which], [which, '--show-secrets'], [which, '--show-secrets=false']])
      .map((args, at) => [...args, '--reviews', path(`reviews-${at}`)]),
  ];
  expect(calls.length).toBeGreaterThanOrEqual(12);
  for (const call of calls) await run('trace', traceCommand, ['export', ...call]);
});

test('kadmit snapshot: a dozen documents match the schema', async () => {
  const recording = 'test/testing/record-replay/snapshot/changes/life-of-a-pod.yaml';
  const target = ['--kubeconfig', empty.kubeconfigPath];
  const saves = [
    '--kinds pods',
    '--kinds configmaps',
    '--kinds pods,configmaps -n default',
    '--kinds pods -n none',
    '--show-secrets --kinds secrets',
    '',
  ].map(words);
  const calls = [
    ...saves.map((args, at) => ['save', path(`snapshot-${at}.jsonl`), ...args]),
    ...saves.slice(0, -1).map((_, at) => ['restore', path(`snapshot-${at}.jsonl`), ...target]),
    ['replay', recording, '--speed', 'max', ...target],
    ['replay', recording, '--speed', '1000', ...target],
  ];
  expect(calls.length).toBeGreaterThanOrEqual(12);
  for (const call of calls) await run('snapshot', snapshotCommand, call);
});

test('kadmit record: a dozen documents match the schema', async () => {
  const since = ['--since', kadmit.traces.last({ name: 'good' }).id];
  const chosen = ['', '--last 1', '-n default', '--user kubernetes-admin', '--show-secrets'].map(words);
  const calls = [
    ...[...chosen, since].map((args, at) => [...args, '--reviews', path(`recorded-reviews-${at}`)]),
    ...[...chosen, ['--golden', '--name', 'a']].map((args, at) => [...args, '--out', path(`recorded-${at}`)]),
  ];
  expect(calls.length).toBeGreaterThanOrEqual(12);
  for (const call of calls) await run('record', recordCommand, call);
});

test('kadmit test --outage: a dozen reports match the schema', async () => {
  const inCluster = { service: { namespace: 'hooks', name: 'hooks' } };
  const outside = { url: 'https://hooks.example.com/' };
  mkdirSync(path('outages'));
  for (const [at, clientConfig] of [inCluster, outside].entries())
    for (const failurePolicy of ['Fail', 'Ignore'] as const)
      for (const resource of ['pods', 'endpoints', 'nodes']) {
        const load = [unreachable('hooks', failurePolicy, clientConfig, resource)];
        const scenario = { namespaces: { hooks: {} }, load, steps: [{ name: 'a', delete: 'configmaps/a' }] };
        writeFileSync(path(`outages/${at}-${failurePolicy}-${resource}.kadmit.yaml`), JSON.stringify(scenario));
      }
  const reports = asList((await run('outage', testCommand, ['--outage', path('outages')])) as JsonValue);
  expect(reports.length).toBeGreaterThanOrEqual(12);
  expect(new Set(reports.map((one) => asObject(one)['outcome']))).toEqual(new Set(['recovers', 'stuck']));
});

test('kadmit test --compare-with: a dozen comparisons match the schema', async () => {
  const steps = [
    ...['one', 'bad', 'bad-too'].map((name) => ({ create: pod(name) })),
    ...['one', 'two'].map((name) => ({ create: configMap(name) })),
    { create: { ...configMap('a'), data: 5 } },
    { create: { ...configMap('b'), kind: 'Map' } },
    { get: 'configmaps/none' },
    { delete: 'configmaps/none' },
    { wait: 'configmaps/none', timeout: '10ms', until: 'deleted' },
    { apply: configMap('c') },
    { patch: 'configmaps/none', merge: { data: { a: 'b' } } },
    { advance: '1m' },
  ];
  mkdirSync(path('compared'));
  for (const [at, step] of steps.entries())
    writeFileSync(
      path(`compared/${at}.kadmit.yaml`),
      JSON.stringify({ name: `${at}`, steps: [{ name: 'step', ...step }] }),
    );
  const comparisons = await run('comparison', testCommand, [path('compared'), '--compare-with', kadmit.kubeconfigPath]);
  expect(asList(comparisons as JsonValue).length).toBeGreaterThanOrEqual(12);
});

/** By command: its schemas, or why there is no JSON. */
const table = new Map(
  readFileSync('docs/reference/json-output.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `kadmit '))
    .map((line) => {
      const [, command = '', document = ''] = line.split('|').map((cell) => cell.trim());
      return [/`kadmit (?<name>[\w-]+)/.exec(command)?.groups?.['name'] ?? '', document] as const;
    }),
);

test('docs/reference/json-output.md has every command: its schema, or why it has none', async () => {
  const commands = await loadCommands();
  expect([...table.keys()].filter((name) => name !== 'version').toSorted()).toEqual(
    commands.map(({ name }) => name).toSorted(),
  );
  for (const { name, flags } of commands) {
    const isJson = flags.some(({ short, argument }) => short === 'o' && argument.includes('json'));
    const schemas = [...(table.get(name) ?? '').matchAll(/\((?<file>[\w-]+)\.schema\.json\)/g)].map(
      ({ groups }) => groups?.['file'] ?? '',
    );
    expect({ name, hasSchema: schemas.length > 0 }).toEqual({ name, hasSchema: isJson });
    for (const schema of schemas) schemaOf(schema);
  }
});
