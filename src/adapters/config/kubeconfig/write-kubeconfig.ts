import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, replaceFile } from '../../files/portable-files.ts';
import { ConfigError } from '../config-error.ts';
import type { AdminCredential } from '../server-config.ts';
import { ownFile, isOwnKubeconfig, readKubeconfig } from './read-kubeconfig.ts';
import { callServer } from './call-server.ts';

const firstLine = `${ownFile}serve, anew at each start.`;

export interface AdminKubeconfig {
  readonly url: string;
  readonly caPem: string;
  readonly admin: AdminCredential;
}

interface UserKubeconfig {
  readonly url: string;
  readonly caPem: string;
  readonly user: string;
  readonly credential: AdminCredential;
}

/** Writes the kubeconfig of kubernetes-admin. Throws ConfigError for a file that kadmit did not write. */
export const writeKubeconfig = (path: string, cluster: AdminKubeconfig): void =>
  writeOwnFile(path, kubeconfigText(cluster), '--write-kubeconfig');

/** Writes the kubeconfig of another user. Throws ConfigError for a file that kadmit did not write. */
export const writeUserKubeconfig = (path: string, cluster: UserKubeconfig): void =>
  writeOwnFile(path, userKubeconfigText(cluster), '--out');

/** With mode 0600. `flag` names another file. */
function writeOwnFile(path: string, text: string, flag: string): void {
  if (existsSync(path) && !isOwnKubeconfig(path)) {
    throw new ConfigError(`${path} was not written by kadmit; name another file with ${flag}`);
  }
  makeFolder(dirname(path), 0o700);
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  replaceFile(draft, path);
}

export const kubeconfigText = ({ admin, ...cluster }: AdminKubeconfig): string =>
  textFor({ ...cluster, user: 'kubernetes-admin', credential: admin }, firstLine);

export const userKubeconfigText = (cluster: UserKubeconfig): string => textFor(cluster, `${ownFile}user.`);

/** JSON strings are YAML strings. Follows client-go tools/clientcmd/api/v1/types.go. */
function textFor({ url, caPem, user, credential }: UserKubeconfig, comment: string): string {
  const fields =
    credential.type === 'token'
      ? [`token: ${JSON.stringify(credential.token)}`]
      : [`client-certificate-data: ${base64(credential.certificate)}`, `client-key-data: ${base64(credential.key)}`];
  const context = JSON.stringify(`${user}@kadmit`);
  return [
    comment,
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    '- name: kadmit',
    '  cluster:',
    `    server: ${JSON.stringify(url)}`,
    `    certificate-authority-data: ${base64(caPem)}`,
    'users:',
    `- name: ${JSON.stringify(user)}`,
    '  user:',
    ...fields.map((line) => `    ${line}`),
    'contexts:',
    `- name: ${context}`,
    '  context:',
    '    cluster: kadmit',
    `    user: ${JSON.stringify(user)}`,
    `current-context: ${context}`,
    '',
  ].join('\n');
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export interface PlacedKubeconfig {
  readonly path: string;
  /** Why another path was used; '' for the usual path. */
  readonly note: string;
  /** Removes the file unless it is at the usual path, where the next server replaces it. */
  readonly remove: () => void;
}

/**
 * Writes a server's kubeconfig. When the file belongs to another running server, writes a file named after the port
 * beside it, or throws if the path was given. Throws ConfigError when it cannot write.
 */
export async function placeKubeconfig(
  path: string,
  cluster: AdminKubeconfig,
  isExplicit: boolean,
): Promise<PlacedKubeconfig> {
  const other = await runningServer(path, cluster.url);
  if (other === undefined) {
    writeKubeconfig(path, cluster);
    return { path, note: '', remove: () => {} };
  }
  const note = `${path} points to the server at ${other}, which is running`;
  if (isExplicit) throw new ConfigError(`${note}; name another file with --write-kubeconfig`);
  const own = `${path}-${new URL(cluster.url).port}`;
  writeKubeconfig(own, cluster);
  return { path: own, note, remove: () => rmSync(own, { force: true }) };
}

/** Milliseconds. */
const timeoutMs = 2000;

/** The URL of another server in this kubeconfig, if it answers. */
async function runningServer(path: string, url: string): Promise<string | undefined> {
  if (!existsSync(path) || !isOwnKubeconfig(path)) return undefined;
  try {
    const access = await readKubeconfig(path);
    if (access.url === url) return undefined;
    await callServer(access, { method: 'GET', path: '/readyz', timeout: timeoutMs });
    return access.url;
  } catch {
    return undefined;
  }
}
