import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCertificate } from '../../src/adapters/certificates/issue-certificate.ts';
import { type RunningProcess, startProcess } from './process.ts';

/** Controllers whose objects the stories do not mention. */
const workloadControllers = `deployment replicaset replicationcontroller statefulset daemonset job cronjob
  endpoints endpointslice endpointslice-mirroring`.split(/\s+/);

/** The built server and a webhook, each in its own process, in a folder that is removed when they stop. */
export interface KadmitProcess {
  readonly url: string;
  readonly directory: string;
  /** Of an administrator with a client certificate. */
  readonly kubeconfig: string;
  readonly webhook: { readonly url: string; readonly caBundle: string };
  readonly stop: () => Promise<void>;
}

/** The Kubernetes release of the server; the default is the newest. */
const kubernetesVersion = process.env['KUBERNETES_VERSION'] ?? '';

/** The build of `npm test`, or another one. */
const built = process.env['KADMIT_MAIN'] ?? 'dist/main.js';
const hour = 3_600_000;

export async function startKadmitProcess(): Promise<KadmitProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'kadmit-process-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const started: RunningProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((one) => one.stop()));
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const server = await startServer(directory, kubeconfig);
    started.push(server.process);
    const webhook = await startWebhook(directory);
    started.push(webhook.process);
    return { url: server.url, directory, kubeconfig, webhook: webhook.webhook, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startServer(directory: string, kubeconfig: string) {
  const tokens = join(directory, 'tokens.csv');
  writeFileSync(tokens, 'alice-token,alice,alice-uid,"developers"\n', { mode: 0o600 });
  const process_ = await startProcess(
    [
      process.execPath,
      built,
      'serve',
      '--secure-port=0',
      `--cert-dir=${join(directory, 'certs')}`,
      `--write-kubeconfig=${kubeconfig}`,
      `--token-auth-file=${tokens}`,
      '--ui-port=-1',
      ...(kubernetesVersion === '' ? [] : [`--kubernetes-version=${kubernetesVersion}`]),
      // The stories about Deployments were recorded without these.
      `--controllers=*,${workloadControllers.map((name) => `-${name}-controller`).join(',')}`,
    ],
    /https:\/\/\S+/,
  );
  return { process: process_, url: /https:\/\/[^\s)]+/.exec(process_.output())?.[0] ?? '' };
}

/** A webhook in its own process, which `stop` ends. */
export async function startWebhook(directory: string) {
  const times = { notBefore: new Date(Date.now() - hour), notAfter: new Date(Date.now() + 24 * hour) };
  const issuer = await issueCertificate({ commonName: 'webhook-ca', purpose: 'authority', ...times });
  const { certificate, key } = await issueCertificate({
    commonName: 'webhook',
    purpose: 'server',
    names: ['127.0.0.1', 'localhost'],
    issuer,
    ...times,
  });
  const files = { certificate: join(directory, 'webhook.crt'), key: join(directory, 'webhook.key') };
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.key, key, { mode: 0o600 });
  const script = 'test/harness/webhook-process.mjs';
  const process_ = await startProcess([process.execPath, script, files.certificate, files.key], /^\d+\n/);
  const caBundle = Buffer.from(issuer.certificate).toString('base64');
  return { process: process_, webhook: { url: `https://127.0.0.1:${process_.output().trim()}`, caBundle } };
}
