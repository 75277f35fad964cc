import { writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubeconfigText } from '../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { replayCommand } from '../../src/app/cli/replay/replay.ts';
import { readYamlBody } from '../../src/adapters/http/body-formats.ts';
import { startWebhook } from '../harness/kadmit-process.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { type CommandResult, runCommand } from '../harness/run-command.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// A server that has asked two webhooks, each a path of one process; `plain` is how one of them answers today, over HTTP.
const directory = temporaryFolder();
let server: Kadmit;
let webhook: Awaited<ReturnType<typeof startWebhook>>;
let plain: http.Server;
let asked: readonly string[] = [];

beforeAll(async () => {
  webhook = await startWebhook(directory);
  server = await startKadmit();
  plain = http.createServer((incoming, response) => {
    void answerToday(incoming).then((text) => response.setHeader('content-type', 'application/json').end(text));
  });
  await new Promise<void>((resolve) => {
    plain.listen(0, '127.0.0.1', resolve);
  });
  writeFileSync(file('kubeconfig'), kubeconfigText(server), { mode: 0o600 });
  writeFileSync(file('ca.pem'), Buffer.from(webhook.webhook.caBundle, 'base64'));
  await writeOneConfigMap();
});
afterAll(async () => {
  await server.close();
  await webhook.process.stop();
  await new Promise((resolve) => {
    plain.close(resolve);
  });
});

const file = (name: string): string => join(directory, name);

async function writeOneConfigMap(): Promise<void> {
  const agent = new Agent({ connect: { ca: server.caPem } });
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await request(server.url + path, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.body.dump();
  };
  const group = '/apis/admissionregistration.k8s.io/v1';
  await post(`${group}/mutatingwebhookconfigurations`, configuration('seen', '/annotate'));
  await post(`${group}/validatingwebhookconfigurations`, configuration('judge', '/judge'));
  await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  await agent.close();
}

const configuration = (name: string, path: string): object => ({
  metadata: { name },
  webhooks: [
    {
      name: `${name}.example.com`,
      clientConfig: { url: webhook.webhook.url + path, caBundle: webhook.webhook.caBundle },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
});

/** Denies what it is asked about. */
async function answerToday(incoming: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const review: { readonly request: { readonly uid: string } } = JSON.parse(Buffer.concat(chunks).toString());
  asked = [...asked, `${incoming.method} ${incoming.url} ${incoming.headers['content-type']}`];
  const response = { uid: review.request.uid, allowed: false, status: { message: 'not any more', code: 403 } };
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
}

const plainUrl = (): string => `http://127.0.0.1:${(plain.address() as AddressInfo).port}`;

const kadmitReplay = (...args: readonly string[]): Promise<CommandResult> =>
  runCommand(replayCommand, [...args, '--kubeconfig', file('kubeconfig')], { readYaml: readYamlBody });

const toSeen = (): readonly string[] => ['--webhook', 'seen.example.com', '--to', `${webhook.webhook.url}/annotate`];

test('the webhook itself responds as recorded', async () => {
  expect(await kadmitReplay('last', ...toSeen(), '--ca', file('ca.pem'))).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^same: seen\.example\.com of seen \(mutating\) called again at \S+ about CREATE configmaps default\/a\nresponse: allowed$/,
    ),
    error: '',
  });
});

test('another response is shown part by part', async () => {
  asked = [];
  const { code, out } = await kadmitReplay(
    'last',
    '--webhook',
    'seen/seen.example.com',
    '--to',
    `${plainUrl()}/mutate`,
  );
  expect(code).toBe(1);
  expect(out.split('\n').slice(1)).toEqual([
    '',
    'outcome',
    '- allowed',
    '+ denied',
    '',
    'status for the client',
    '+ kind: Status',
    '+ apiVersion: v1',
    '+ metadata: {}',
    '+ status: Failure',
    '+ message: "admission webhook \\"seen.example.com\\" denied the request: not any more"',
    '+ code: 403',
    '',
    'patch',
    '- {"op":"add","path":"/metadata/annotations","value":{"example.com/seen":"yes"}}',
    '',
    'object after the patch',
    '  metadata:',
    '-   annotations:',
    '-     example.com/seen: "yes"',
  ]);
  expect(asked).toEqual(['POST /mutate?timeout=10s application/json']);
});

test('a trace in a file needs no server; -o json says the same to a program', async () => {
  const agent = new Agent({ connect: { ca: server.caPem } });
  const headers = { authorization: `Bearer ${server.token}` };
  const { body } = await request(`${server.url}/kadmit/v1/traces/last`, { dispatcher: agent, headers });
  writeFileSync(file('trace.json'), await body.text());
  await agent.close();
  const source = ['--from', file('trace.json'), '--webhook', 'judge.example.com'];
  const { code, out } = await kadmitReplay(...source, '--to', plainUrl(), '-o', 'json');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    outcome: 'answered',
    webhook: { name: 'judge.example.com', phase: 'validating' },
    recorded: { outcome: 'allowed', warnings: ['this is being watched'] },
    now: { outcome: 'denied', warnings: [] },
    differences: [{ part: 'outcome' }, { part: 'status' }, { part: 'warnings' }],
  });
});

test.each<[string, () => readonly string[], RegExp]>([
  ['no request', () => ['--to', plainUrl()], /^kadmit replay: ID, last or --from FILE is required$/],
  ['no URL', () => ['last'], /^kadmit replay: --to URL is required/],
  ['no such URL', () => ['last', '--to', 'here'], /^kadmit replay: --to "here" is not a URL: /],
  [
    'several webhooks',
    () => ['last', '--to', plainUrl()],
    /: which webhook\? --webhook NAME; called were seen\/seen.example.com \(mutating\), judge\/judge.example.com \(validating\)$/,
  ],
  ['an unknown trace', () => ['x', '--to', plainUrl()], /^kadmit replay: no trace "x"/],
  ['no trace', () => ['--from', file('ca.pem'), '--to', plainUrl()], /--from \S+ is not a trace: /],
  ['an untrusted certificate', () => ['last', ...toSeen()], /did not respond \(tls\): .*; add --ca FILE with its CA/],
  [
    'no listener',
    () => ['last', '--webhook', 'seen.example.com', '--to', 'http://127.0.0.1:1/'],
    /did not respond \(connect\): connect ECONNREFUSED 127.0.0.1:1$/,
  ],
  [
    'plain HTTP',
    () => ['last', '--webhook', 'seen.example.com', '--to', plainUrl().replace('http', 'https')],
    /did not respond \(tls\): it speaks plain HTTP there/,
  ],
])('%s is bad usage, in one line', async (_what, args, problem) => {
  const { code, out, error } = await kadmitReplay(...args());
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(error).toMatch(problem);
  expect(error).not.toContain('\n');
});

test('an untrusted certificate is accepted with --insecure', async () => {
  expect((await kadmitReplay('last', ...toSeen(), '--insecure')).code).toBe(0);
});
