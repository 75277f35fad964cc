import { readFileSync } from 'node:fs';
import { ConfigError } from '../server-config.ts';
import { asList, asObject, asString, isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';

/** How to reach the server of a kubeconfig's current context. */
export interface ServerAccess {
  readonly url: string;
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
  /** Of its context, or `default`. */
  readonly namespace: string;
}

/** Reads the current context of a kubeconfig with inline credentials. Throws ConfigError for a file that has none. */
export async function readKubeconfig(path: string): Promise<ServerAccess> {
  const { parse } = await import('yaml');
  const config: unknown = parse(readText(path));
  if (!isJsonObject(config)) throw new ConfigError(`${path} is no kubeconfig`);
  const context = named(config, 'contexts', asString(config['current-context']), 'context');
  const cluster = named(config, 'clusters', asString(context['cluster']), 'cluster');
  const user = named(config, 'users', asString(context['user']), 'user');
  const url = asString(cluster['server']);
  if (!URL.canParse(url)) throw new ConfigError(`${path}: its current context names no server`);
  return {
    url,
    ca: decoded(cluster['certificate-authority-data']),
    certificate: decoded(user['client-certificate-data']),
    key: decoded(user['client-key-data']),
    token: asString(user['token']) || undefined,
    namespace: asString(context['namespace']) || 'default',
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
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

const decoded = (value: unknown): string | undefined =>
  typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : undefined;
