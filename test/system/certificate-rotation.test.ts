import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { issueCertificate } from '../../src/adapters/certificates/issue-certificate.ts';
import { writeKubeconfig } from '../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { freePort } from '../harness/free-port.ts';
import { findKubectls } from '../harness/kubectl.ts';
import { type RunningProcess, startProcess } from '../harness/process.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';

// scenarios/certificate-flow with requests going on all the time: the CA lies in a Secret, a job with a ServiceAccount of
// its own carries it into the configuration, the CA and the certificate are replaced.

const [kubectl] = findKubectls();
const run = promisify(execFile);
const scenario = 'scenarios/certificate-flow';

let kadmit: Kadmit;
let webhook: RunningProcess;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kadmit-rotation-'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'kubectl'), `#!/bin/sh\nexec '${kubectl}' "$@"\n`, { mode: 0o755 });
  const port = await freePort();
  kadmit = await startKadmit({
    controllers: ['*'],
    load: [join(scenario, 'manifests.yaml')],
    map: [{ from: 'platform/certified', url: `https://127.0.0.1:${port}` }],
  });
  const { url, caPem, admin } = kadmit;
  writeKubeconfig(join(folder, 'kubeconfig'), { url, caPem, admin });
  await issue('first');
  await issue('second');
  await serveWith('first');
  const program = join(folder, 'webhook.mjs');
  writeFileSync(program, readFileSync(join(scenario, 'webhook.mjs'), 'utf8').replace('8400', String(port)));
  webhook = await startProcess([process.execPath, program, join(folder, 'current')], /webhook on/);
});

afterEach(async () => {
  await webhook.stop();
  await kadmit.close();
  rmSync(folder, { recursive: true, force: true });
});

test.runIf(kubectl)('a CA is replaced and no request is refused', async () => {
  await trust('first');
  const traffic = keepCreating();
  await trust('first', 'second');
  await serveWith('second');
  await traffic.more(20);
  await trust('second');
  await traffic.more(20);
  const answers = await traffic.end();
  expect(answers.filter(({ code }) => code !== 201)).toEqual([]);
  expect(answers.every(({ certified }) => certified === 'yes')).toBe(true);
});

test.runIf(kubectl)('without the new CA first, the new certificate is not trusted', async () => {
  await trust('first');
  await serveWith('second');
  const refused = await create();
  expect(refused).toMatchObject({
    code: 500,
    message: expect.stringContaining(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ),
  });
  await trust('second');
  expect(await create()).toMatchObject({ code: 201, certified: 'yes' });
});

/** A CA and a certificate of its own for the Service, in a folder. */
async function issue(name: string): Promise<void> {
  const times = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const issuer = await issueCertificate({ commonName: `${name} CA`, purpose: 'authority', ...times });
  const names = ['certified.platform.svc'];
  const leaf = await issueCertificate({ commonName: 'certified', purpose: 'server', names, issuer, ...times });
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'ca.crt'), issuer.certificate);
  writeFileSync(join(folder, name, 'tls.crt'), leaf.certificate);
  writeFileSync(join(folder, name, 'tls.key'), leaf.key);
}

/** The webhook shows this certificate from now on. */
async function serveWith(name: string): Promise<void> {
  const current = join(folder, 'current');
  const isRunning = readFileSyncOr(join(current, 'tls.crt')) !== undefined;
  mkdirSync(current, { recursive: true });
  const before = isRunning ? webhook.output() : '';
  for (const file of ['tls.key', 'tls.crt']) copyFileSync(join(folder, name, file), join(current, file));
  while (isRunning && webhook.output() === before) await sleep(20);
}

function readFileSyncOr(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** These CAs stand in the Secret, and the job has run. */
async function trust(...names: readonly string[]): Promise<void> {
  const bundle = names.map((name) => readFileSync(join(folder, name, 'ca.crt'), 'utf8')).join('');
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'certified-ca', namespace: 'platform' },
    data: { 'ca.crt': Buffer.from(bundle).toString('base64') },
  };
  const path = '/api/v1/namespaces/platform/secrets/certified-ca?fieldManager=test&force=true';
  expect(await send('PATCH', path, secret, 'application/apply-patch+yaml')).toMatchObject({ code: expect.any(Number) });
  const env = { ...process.env, KUBECONFIG: join(folder, 'kubeconfig'), HOME: folder };
  await run('sh', [join(scenario, 'inject-ca.sh')], {
    env: { ...env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
  });
}

interface Created {
  readonly code: number;
  readonly certified: string | undefined;
  readonly message: string | undefined;
}

/** Creates a ConfigMap through the webhook. */
async function create(): Promise<Created> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'traffic-' } };
  const { code, body } = await send('POST', '/api/v1/namespaces/platform/configmaps', object, 'application/json');
  return { code, certified: body.metadata?.labels?.['certified'], message: body.message };
}

/** Creates without a break until it is ended. */
function keepCreating() {
  const answers: Created[] = [];
  let ended = false;
  const running = (async (): Promise<void> => {
    while (!ended) answers.push(await create());
  })();
  return {
    more: async (count: number): Promise<void> => {
      const goal = answers.length + count;
      while (answers.length < goal) await sleep(5);
    },
    end: async (): Promise<readonly Created[]> => {
      ended = true;
      await running;
      return answers;
    },
  };
}

interface Answered {
  readonly code: number;
  readonly body: {
    readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
    readonly message?: string;
  };
}

function send(method: string, path: string, object: unknown, contentType: string): Promise<Answered> {
  const headers = { authorization: `Bearer ${kadmit.token}`, 'content-type': contentType };
  return new Promise((resolve, reject) => {
    const request = https.request(`${kadmit.url}${path}`, { method, headers, ca: kadmit.caPem, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    request.end(JSON.stringify(object));
  });
}
