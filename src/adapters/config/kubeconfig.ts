import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { readBoundedFile } from '../files/bounded-file.ts';
import { replaceFile } from '../files/replace-file.ts';
import { plainValue } from '../../machinery/json/json-reader.ts';
import { readYaml } from '../../machinery/yaml/read-yaml.ts';
import { asList, asObject, asString, type JsonValue } from '../../machinery/json/json.ts';
import { ConfigError } from './config-error.ts';
import type { AdminCredential } from './server-config.ts';
import type { ServerAccess } from './kubeconfig/call-server.ts';

const ownFile = '# Written by kadmit ';
const firstLine = `${ownFile}serve, anew at each start.`;

export interface AdminKubeconfig {
  readonly url: string;
  readonly caPem: string;
  readonly admin: AdminCredential;
}

export interface UserKubeconfig {
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

/** Whether kadmit wrote this file. */
export function isOwnKubeconfig(path: string): boolean {
  try {
    return readBoundedFile(path).startsWith(ownFile);
  } catch {
    return false;
  }
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

/** Reads a kubeconfig that kadmit wrote: one cluster, one user, inline data. Throws ConfigError for a broken one. */
export function readOwnKubeconfig(path: string): ServerAccess {
  const reading = readYaml(readBoundedFile(path));
  if (reading.outcome === 'unreadable') throw new ConfigError(`${path}: ${reading.error}`);
  const config = asObject(plainValue(reading.value));
  const first = (list: JsonValue | undefined, field: string) => asObject(asObject(asList(list)[0])[field]);
  const cluster = first(config['clusters'], 'cluster');
  const user = first(config['users'], 'user');
  const url = asString(cluster['server']);
  if (!URL.canParse(url)) throw new ConfigError(`${path}: it names no server`);
  const text = (data: JsonValue | undefined): string | undefined =>
    typeof data === 'string' ? Buffer.from(data, 'base64').toString('utf8') : undefined;
  return {
    kubeconfig: path,
    url,
    ca: text(cluster['certificate-authority-data']),
    certificate: text(user['client-certificate-data']),
    key: text(user['client-key-data']),
    token: asString(user['token']) || undefined,
    serverName: undefined,
    insecure: false,
    namespace: 'default',
  };
}
