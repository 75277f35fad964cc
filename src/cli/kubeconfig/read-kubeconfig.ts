import { existsSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';
import { readBoundedFile } from '../../config/bounded-file.ts';
import { ConfigError } from '../../config/config-error.ts';
import { asList, asObject, asString, isJsonObject } from '../../apimachinery/json.ts';
import { isOwnKubeconfig } from './kubeconfig.ts';
import type { JsonObject } from '../../apimachinery/json.ts';

/** How to reach the server of a kubeconfig's current context. */
export interface ServerAccess {
  /** The kubeconfig that says so. */
  readonly kubeconfig: string;
  readonly url: string;
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
  /** The name that the server's certificate is for, when it is not that of the url. */
  readonly serverName: string | undefined;
  /** The certificate is not looked at. */
  readonly insecure: boolean;
  /** Of its context, or `default`. */
  readonly namespace: string;
}

/**
 * Reads the current context of a kubeconfig: certificates and tokens, in it or in files that it names. Throws ConfigError
 * for a file that cannot be used; programs that it names for credentials are not run.
 */
export async function readKubeconfig(given: string): Promise<ServerAccess> {
  const { parse } = await import('yaml');
  const path = kubeconfigPath(given);
  const config: unknown = parse(readText(path));
  if (!isJsonObject(config)) throw new ConfigError(`${path} is no kubeconfig`);
  const context = named(config, 'contexts', asString(config['current-context']), 'context');
  const cluster = named(config, 'clusters', asString(context['cluster']), 'cluster');
  const user = named(config, 'users', asString(context['user']), 'user');
  const url = asString(cluster['server']);
  if (!URL.canParse(url)) throw new ConfigError(`${path}: its current context names no server`);
  if (user['exec'] !== undefined || user['auth-provider'] !== undefined) {
    throw new ConfigError(`${path}: its user asks a program for credentials, which is not run; give a token instead`);
  }
  const text = (from: JsonObject, field: string): string | undefined => inlineOrFile(from, field, path);
  return {
    kubeconfig: path,
    url,
    ca: text(cluster, 'certificate-authority'),
    certificate: text(user, 'client-certificate'),
    key: text(user, 'client-key'),
    token: asString(user['token']) || namedFile(user, 'tokenFile', path)?.trim(),
    serverName: asString(cluster['tls-server-name']) || undefined,
    insecure: cluster['insecure-skip-tls-verify'] === true,
    namespace: asString(context['namespace']) || 'default',
  };
}

/** Where a server leaves its kubeconfig, seen from the folder in which it runs. */
const ownKubeconfig = '.kadmit/kubeconfig';

/** What KUBECONFIG names goes before what lies in the folder, but only if kadmit wrote it: nothing is asked of a cluster by chance. */
function kubeconfigPath(given: string): string {
  if (given !== ownKubeconfig) return given;
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '' && existsSync(path));
  return named.find((path) => path.endsWith(ownKubeconfig) || isOwnKubeconfig(path)) ?? given;
}

function readText(path: string): string {
  try {
    return readBoundedFile(path);
  } catch {
    throw new ConfigError(
      `${path} cannot be read; is kadmit serve running in this folder? --kubeconfig names another file`,
    );
  }
}

function named(config: JsonObject, list: string, name: string, field: string): JsonObject {
  const entry = asList(config[list])
    .map(asObject)
    .find((one) => one['name'] === name);
  return asObject(entry?.[field]);
}

/** `field-data` in base64, or the file that `field` names. */
function inlineOrFile(from: JsonObject, field: string, kubeconfig: string): string | undefined {
  const data = from[`${field}-data`];
  if (typeof data === 'string' && data !== '') return Buffer.from(data, 'base64').toString('utf8');
  return namedFile(from, field, kubeconfig);
}

/** Paths in a kubeconfig start from its folder. Follows client-go tools/clientcmd/loader.go. */
function namedFile(from: JsonObject, field: string, kubeconfig: string): string | undefined {
  const name = asString(from[field]);
  if (name === '') return undefined;
  try {
    return readBoundedFile(resolve(dirname(kubeconfig), name));
  } catch {
    throw new ConfigError(`${kubeconfig}: its ${field} ${name} cannot be read`);
  }
}
