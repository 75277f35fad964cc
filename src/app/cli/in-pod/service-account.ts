import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asString, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { callServer, messageIn, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import type { Qualified } from './mount-files.ts';

const lifetimeSeconds = 24 * 60 * 60;

/** A ServiceAccount's credentials in a folder; the token is renewed until `stop`. */
export interface AccountCredentials {
  readonly environment: Readonly<Record<string, string>>;
  /** A new token, with a credential-id of its own. Rejects with ConfigError when the server refuses. */
  readonly renew: () => Promise<void>;
  readonly stop: () => void;
}

/**
 * Writes the files that the kubelet mounts for a ServiceAccount, and a kubeconfig. Rejects with ConfigError when the server
 * refuses a token. Follows kubernetes plugin/pkg/admission/serviceaccount TokenVolumeSource.
 */
export async function useServiceAccount(
  access: ServerAccess,
  account: Qualified,
  folder: string,
): Promise<AccountCredentials> {
  const file = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => writeFileSync(file(name), text, { mode: 0o600 });
  const renew = async (): Promise<void> => write('token', await tokenOf(access, account));
  await renew();
  write('namespace', account.namespace);
  write('ca.crt', access.ca ?? '');
  write('kubeconfig', JSON.stringify(kubeconfig(access, account, file('token'))));
  // After a failed renewal the current token is valid for the same time again.
  const timer = setInterval(() => void renew().catch(() => {}), (lifetimeSeconds / 2) * 1000);
  timer.unref();
  const { hostname, port } = new URL(access.url);
  return {
    environment: {
      KUBECONFIG: file('kubeconfig'),
      KADMIT_SERVICE_ACCOUNT: folder,
      KUBERNETES_SERVICE_HOST: hostname.replace(/^\[|\]$/g, ''),
      KUBERNETES_SERVICE_PORT: port || '443',
      POD_NAMESPACE: account.namespace,
    },
    renew,
    stop: () => clearInterval(timer),
  };
}

async function tokenOf(access: ServerAccess, { namespace, name }: Qualified): Promise<string> {
  const { code, text } = await callServer(access, {
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    contentType: 'application/json',
    body: JSON.stringify({ spec: { expirationSeconds: lifetimeSeconds } }),
  });
  if (code !== 201) throw new ConfigError(`no token for ServiceAccount ${namespace}/${name}: ${messageIn(text)}`);
  const answer: JsonValue = JSON.parse(text);
  return asString(valueAt(answer, 'status', 'token'));
}

const kubeconfig = (access: ServerAccess, { namespace, name }: Qualified, tokenFile: string): object => {
  const ca = access.ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(access.ca).toString('base64') };
  const tls = { ...(access.insecure ? { 'insecure-skip-tls-verify': true } : {}), ...serverName(access) };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: 'cluster', user: name, namespace } }],
    clusters: [{ name: 'cluster', cluster: { server: access.url, ...ca, ...tls } }],
    users: [{ name, user: { tokenFile } }],
  };
};

const serverName = (access: ServerAccess): object =>
  access.serverName === undefined ? {} : { 'tls-server-name': access.serverName };
