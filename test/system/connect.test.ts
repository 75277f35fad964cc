import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Exec, KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKubectl, findKubectls } from '../harness/kubectl.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { startStubWebhooks, type StubWebhooks } from '../harness/stub-webhooks.ts';
import { type Answer, callHttp1, callRaw } from '../adapters/http/https-client.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// What has to run in a container is admitted and then refused: clients say so and end. Source: spec/kubectl.md section 6.

let server: Kadmit;
let webhooks: StubWebhooks;
const directory = temporaryFolder();
let kubeconfig = '';

const send = (method: string, path: string, body: object, type = 'application/json'): Promise<Answer> =>
  callHttp1(
    { port: server.port, ca: server.caPem },
    {
      method,
      path,
      body: JSON.stringify(body),
      headers: { 'content-type': type, authorization: `Bearer ${server.token}` },
    },
  );

const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p' },
  spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
};
const running = {
  phase: 'Running',
  containerStatuses: [
    { name: 'c', ready: true, restartCount: 0, image: 'i', imageID: 'x', state: { running: { startedAt: null } } },
  ],
};

beforeAll(async () => {
  [server, webhooks] = await Promise.all([startKadmit(), startStubWebhooks()]);
  kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(configFor(server)), { mode: 0o600 });
  const namespace = '/api/v1/namespaces/default';
  const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const answers = [
    await send('POST', `${namespace}/serviceaccounts`, { metadata: { name: 'default' } }),
    await send('POST', '/api/v1/nodes', { metadata: { name: 'n' } }),
    await send('POST', `${namespace}/pods`, pod),
    await send('PATCH', `${namespace}/pods/p/status`, { status: running }, 'application/merge-patch+json'),
    await send('POST', configurations, watcher(webhooks)),
  ];
  for (const { status = 0, body } of answers) if (status >= 300) throw new Error(JSON.stringify(body));
});
afterAll(() => Promise.all([server.close(), webhooks.close()]));

const configFor = ({ url, caPem, token }: Kadmit): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'k', cluster: { server: url, 'certificate-authority-data': btoa(caPem) } }],
  users: [{ name: 'u', user: { token } }],
  contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
  'current-context': 'c',
});

/** A validating webhook that is calledFor about every CONNECT. */
const watcher = ({ ports, caBundle }: StubWebhooks): object => ({
  metadata: { name: 'watcher' },
  webhooks: [
    {
      name: 'watcher.example.com',
      clientConfig: { url: `https://127.0.0.1:${ports.get(18443)}/connect`, caBundle },
      rules: [{ operations: ['CONNECT'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    },
  ],
});

/** The CONNECT reviews since the last time this was calledFor, as `exec` or `portforward`. */
const calledFor = (): readonly string[] =>
  webhooks.takeCalls().map(({ body }) => {
    expect(body).toMatchObject({ request: { operation: 'CONNECT', name: 'p' } });
    return /"subResource":"(\w+)"/.exec(JSON.stringify(body))?.[1] ?? '';
  });

const noKubelet = (subresource: string): RegExp =>
  new RegExp(`passed admission, but there is no kubelet here to answer pods/${subresource}$`);

interface Row {
  readonly run: string;
  /** undefined when no webhook is called. */
  readonly subresource?: string;
  readonly err: RegExp;
  /** The minor version of kubectl that first tries a websocket and, refused, asks again over SPDY. */
  readonly twiceSince?: number;
}

const rows: readonly Row[] = [
  { run: 'exec p -- ls', subresource: 'exec', err: noKubelet('exec'), twiceSince: 30 },
  { run: 'exec -i p -- sh', subresource: 'exec', err: noKubelet('exec'), twiceSince: 30 },
  { run: 'attach p', subresource: 'attach', err: noKubelet('attach'), twiceSince: 30 },
  { run: 'port-forward p :80', subresource: 'portforward', err: noKubelet('portforward'), twiceSince: 31 },
  { run: 'cp p:/a $DIR/a', subresource: 'exec', err: noKubelet('exec'), twiceSince: 30 },
  { run: 'logs p', err: /pods have no logs here: no container runs$/ },
  { run: 'logs -f p', err: /pods have no logs here: no container runs$/ },
];

const kubectls = findKubectls();
const named =
  kubectls.length > 0
    ? kubectls.map((path) => [basename(path), path] as const)
    : [['NOT RUN, there is no kubectl on the PATH and none in KUBECTLS', ''] as const];

describe.skipIf(kubectls.length === 0).each(named)('%s', (name, path) => {
  const kubectl = (): ReturnType<typeof createKubectl> => createKubectl(path, { kubeconfig, directory }, name);
  let minor = 0;
  beforeAll(async () => {
    minor = Number(/"minor": "(\d+)/.exec((await kubectl().run('version --client -o json')).out)?.[1]);
  });

  test.each(rows)('$run ends with a message', async ({ run, subresource, err, twiceSince = 0 }) => {
    webhooks.answerWith({});
    const printed = await kubectl().run(run.replace('$DIR', directory));
    expect(printed).toEqual({ code: 1, out: '', err: expect.stringMatching(err) });
    const times = subresource === undefined ? 0 : minor >= twiceSince ? 2 : 1;
    expect(calledFor()).toEqual(Array.from({ length: times }, () => subresource));
  });

  test('a webhook’s denial is printed', async () => {
    webhooks.answerWith({ '/connect': { allow: false, status: { message: 'not in here' } } });
    const printed = await kubectl().run('exec p -- ls');
    expect(printed).toMatchObject({ code: 1, out: '', err: expect.stringContaining('not in here') });
  });
});

describe('without kubectl', () => {
  const target = '/api/v1/namespaces/default/pods/p/exec?command=ls&stdout=true';

  test('the Node client’s exec fails at once', async () => {
    webhooks.answerWith({});
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const out = new PassThrough();
    const exec = new Exec(config).exec('default', 'p', 'c', ['ls'], out, out, null, false);
    await expect(exec).rejects.toMatchObject({ message: 'Unexpected server response: 501' });
    expect(calledFor()).toEqual(['exec']);
  });

  const upgrades: readonly [protocol: string, head: readonly string[]][] = [
    ['SPDY', [`POST ${target} HTTP/1.1`, 'Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: v4.channel.k8s.io']],
    [
      'a websocket',
      [
        `GET ${target} HTTP/1.1`,
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Protocol: v5.channel.k8s.io',
      ],
    ],
  ];
  test.each(upgrades)('%s is answered in HTTP, and the connection ends', async (_protocol, head) => {
    webhooks.answerWith({});
    const more = ['Host: x', `Authorization: Bearer ${server.token}`];
    const upgrade = [...head, 'Connection: Upgrade', ...more].join('\r\n');
    const text = await callRaw({ port: server.port, ca: server.caPem }, `${upgrade}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 501 .*\r\nconnection: close\r\n.*"reason":"NotImplemented"/is);
    expect(calledFor()).toEqual(['exec']);
  });
});
