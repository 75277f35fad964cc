import { existsSync } from 'node:fs';
import { Agent } from 'node:https';
import type { RequestOptions } from 'node:https';
import { delimiter, dirname, resolve } from 'node:path';
import { errorText } from '../../../machinery/error-text.ts';
import { readBoundedFile } from '../../../machinery/files/bounded-file.ts';
import { trimRight } from '../../../machinery/go/trim.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { ConfigError } from '../config-error.ts';
import { isOwnKubeconfig } from '../kubeconfig.ts';
import { readOwnKubeconfig } from './own-kubeconfig.ts';
import type { ServerAccess } from './server-access.ts';

/**
 * Reads the current context of a kubeconfig, or of several as KUBECONFIG lists them, as kubectl does: programs, token
 * files and proxies that it names are used. Throws ConfigError for one that cannot be used.
 */
export async function readKubeconfig(given: string): Promise<ServerAccess> {
  const path = kubeconfigPath(given);
  const paths = path.split(delimiter).filter((one) => one !== '');
  for (const one of paths) readText(one, path === ownKubeconfig ? passedOver() : '');
  if (paths.length === 1 && isOwnKubeconfig(path)) return readOwnKubeconfig(path);
  return readForeignKubeconfig(paths);
}

/** Where a server leaves its kubeconfig, seen from the folder in which it runs. */
const ownKubeconfig = '.kadmit/kubeconfig';

/** What KUBECONFIG names goes before what lies in the folder, but only if kadmit wrote it: nothing is asked of a cluster by chance. */
function kubeconfigPath(given: string): string {
  if (given !== ownKubeconfig) return given;
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '' && existsSync(path));
  return named.find((path) => path.endsWith(ownKubeconfig) || isOwnKubeconfig(path)) ?? given;
}

/** Why what KUBECONFIG names does not count; empty when it names nothing. */
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
 * The current context of somebody else's kubeconfigs, merged: read by the official client, which takes a third of a second
 * to load and runs the programs that they name for credentials. Throws ConfigError for what cannot be used.
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
      config.clusters = merged(config.clusters, one.clusters);
      config.users = merged(config.users, one.users);
      config.contexts = merged(config.contexts, one.contexts);
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
    // The reader of YAML shows the lines around a mistake.
    throw new ConfigError(`${kubeconfig}: ${errorText(error).split('\n')[0] ?? ''}`);
  }
}

/** What comes first counts. Follows client-go tools/clientcmd/loader.go. */
const merged = <T extends { readonly name: string }>(first: readonly T[], more: readonly T[]): T[] => [
  ...first,
  ...more.filter(({ name }) => !first.some((one) => one.name === name)),
];

/** The official client does not know `tokenFile`, which goes before `token`. */
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
