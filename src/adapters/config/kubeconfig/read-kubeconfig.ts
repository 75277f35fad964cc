import { existsSync } from 'node:fs';
import { type RequestOptions, Agent } from 'node:https';
import { delimiter, dirname, resolve } from 'node:path';
import { errorText } from '../../../machinery/errors.ts';
import { readBoundedFile } from '../../files/bounded-file.ts';
import { trimRight } from '../../../machinery/go/strings.ts';
import { type JsonValue, asList, asObject, asString } from '../../../machinery/json/json.ts';
import { ConfigError } from '../config-error.ts';
import type { ServerAccess } from './call-server.ts';
import { plainValue } from '../../../machinery/json/json-reader.ts';
import { readYaml } from '../../../machinery/yaml/read-yaml.ts';

/**
 * Reads the current context of one kubeconfig, or of those that KUBECONFIG lists, as kubectl does: exec plugins,
 * token files and proxies included. Throws ConfigError.
 */
export async function readKubeconfig(given: string): Promise<ServerAccess> {
  const path = kubeconfigPath(given);
  const paths = path.split(delimiter).filter((one) => one !== '');
  for (const one of paths) readText(one, path === ownKubeconfig ? passedOver() : '');
  if (paths.length === 1 && isOwnKubeconfig(path)) return readOwnKubeconfig(path);
  return readForeignKubeconfig(paths);
}

/** The default path of a server's kubeconfig, relative to its working directory. */
const ownKubeconfig = '.kadmit/kubeconfig';

/**
 * KUBECONFIG precedes the default path only if kadmit wrote that file, so that no command reaches a real cluster by
 * accident.
 */
function kubeconfigPath(given: string): string {
  if (given !== ownKubeconfig) return given;
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '' && existsSync(path));
  return named.find((path) => path.endsWith(ownKubeconfig) || isOwnKubeconfig(path)) ?? given;
}

/** Why KUBECONFIG is ignored; '' when it is unset. */
function passedOver(): string {
  const named = process.env['KUBECONFIG'] ?? '';
  if (named === '') return '';
  const isThere = named.split(delimiter).some((path) => existsSync(path));
  return ` (KUBECONFIG names ${named}, ${isThere ? 'which kadmit did not write' : 'which is not there'})`;
}

function readText(path: string, more: string): void {
  try {
    readBoundedFile(path);
  } catch {
    throw new ConfigError(
      `${path} cannot be read; is kadmit serve running in this folder? --kubeconfig names another file${more}`,
    );
  }
}

/**
 * Merges kubeconfigs with the official client, which takes 300 ms to load and runs exec plugins. Throws ConfigError.
 */
async function readForeignKubeconfig(paths: readonly string[]): Promise<ServerAccess> {
  const kubeconfig = paths.join(', ');
  try {
    const { KubeConfig } = await import('@kubernetes/client-node');
    const config = new KubeConfig();
    for (const path of paths) {
      const one = new KubeConfig();
      one.loadFromString(readBoundedFile(path));
      one.makePathsAbsolute(dirname(path));
      config.clusters = mergeByName(config.clusters, one.clusters);
      config.users = mergeByName(config.users, one.users);
      config.contexts = mergeByName(config.contexts, one.contexts);
      config.currentContext ||= one.currentContext;
    }
    const cluster = config.getCurrentCluster();
    if (!cluster || !URL.canParse(cluster.server)) throw new ConfigError('its current context names no server');
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    return {
      kubeconfig,
      url: trimRight(cluster.server, '/'),
      ...credentialsIn(options),
      ...(await tokenInFile(paths, config.getCurrentUser()?.name)),
      ...(cluster.proxyUrl && options.agent instanceof Agent ? { proxy: options.agent } : {}),
      serverName: cluster.tlsServerName,
      insecure: cluster.skipTLSVerify === true,
      namespace: config.getContextObject(config.currentContext)?.namespace ?? 'default',
    };
  } catch (error) {
    // The YAML reader appends the lines around the error.
    throw new ConfigError(`${kubeconfig}: ${errorText(error).split('\n')[0] ?? ''}`);
  }
}

/** The first entry of a name wins. Follows client-go tools/clientcmd/loader.go. */
const mergeByName = <T extends { readonly name: string }>(first: readonly T[], more: readonly T[]): T[] => [
  ...first,
  ...more.filter(({ name }) => !first.some((one) => one.name === name)),
];

/** The official client does not know `tokenFile`, which precedes `token`. */
async function tokenInFile(
  paths: readonly string[],
  user: string | undefined,
): Promise<Partial<Pick<ServerAccess, 'token'>>> {
  const { parse } = await import('yaml');
  for (const path of paths) {
    const users = asList(asObject(parse(readBoundedFile(path), { uniqueKeys: false }))['users']).map(asObject);
    const found = users.find(({ name }) => name === user);
    if (found === undefined) continue;
    const file = asString(asObject(found['user'])['tokenFile']);
    return file === '' ? {} : { token: readBoundedFile(resolve(dirname(path), file)).trim() };
  }
  return {};
}

function credentialsIn({
  ca,
  cert,
  key,
  headers,
}: RequestOptions): Pick<ServerAccess, 'ca' | 'certificate' | 'key' | 'token'> {
  const authorization = new Map(Object.entries(headers ?? {})).get('Authorization');
  const [, token] = /^Bearer\s+([\s\S]*)$/.exec(typeof authorization === 'string' ? authorization : '') ?? [];
  return { ca: pem(ca), certificate: pem(cert), key: pem(key), token: token?.trim() };
}

const pem = (text: unknown): string | undefined =>
  typeof text === 'string' || Buffer.isBuffer(text) ? text.toString() : undefined;

export const ownFile = '# Written by kadmit ';

/** Whether kadmit wrote this file. */
export function isOwnKubeconfig(path: string): boolean {
  try {
    return readBoundedFile(path).startsWith(ownFile);
  } catch {
    return false;
  }
}

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
