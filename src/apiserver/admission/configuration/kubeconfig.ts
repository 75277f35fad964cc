import { goQuote } from '../../../machinery/meta/field-error.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonDocument,
  type JsonObject,
} from '../../../machinery/json/json.ts';
import { plainValue } from '../../../machinery/json/json-reader.ts';
import { readYaml } from '../../../machinery/yaml/read-yaml.ts';
import type { ConfigurationFiles } from './admission-configuration.ts';
import { read, type ConfigurationReading, unreadable } from './configuration-document.ts';

export interface Kubeconfig {
  readonly users: ReadonlyMap<string, KubeconfigUser>;
  readonly currentUser: KubeconfigUser | undefined;
  readonly currentCluster: KubeconfigCluster | undefined;
  readonly currentNames: { readonly user: string; readonly cluster: string };
}

/** PEM inline, or in a file that is read on use. */
export type Material = { readonly base64: string } | { readonly file: string };

export interface KubeconfigUser {
  readonly token: string;
  readonly tokenFile: string;
  readonly username: string;
  readonly password: string;
  readonly certificate: Material | undefined;
  readonly key: Material | undefined;
  /** Why these credentials are not supported, or ''. */
  readonly unusable: string;
}

export interface KubeconfigCluster {
  readonly server: string;
  readonly authority: Material | undefined;
  readonly insecure: boolean;
  readonly serverName: string;
}

export const noKubeconfig: Kubeconfig = {
  users: new Map(),
  currentUser: undefined,
  currentCluster: undefined,
  currentNames: { user: '', cluster: '' },
};

/** Follows client-go tools/clientcmd/loader.go. */
export function readWebhookKubeconfig(
  path: string,
  files: Pick<ConfigurationFiles, 'read' | 'beside'>,
): ConfigurationReading<Kubeconfig> {
  const file = files.read(path);
  if (!file.ok) {
    if (file.error === 'no such file or directory') return unreadable(`stat ${path}: ${file.error}`);
    return unreadable(`error loading config file ${goQuote(path)}: open ${path}: ${file.error}`);
  }
  const yaml = readYaml(file.value);
  if (yaml.outcome === 'unreadable') return unreadable(`error loading config file ${goQuote(path)}: ${yaml.error}`);
  const config = plainObject(yaml.value);
  const beside = (name: string): string => files.beside(path, name);
  const users = new Map(named(config, 'users', 'user').map(([name, user]) => [name, userIn(user, beside)]));
  const contexts = new Map(named(config, 'contexts', 'context'));
  const context = asObject(contexts.get(asString(config['current-context'])));
  const cluster = new Map(named(config, 'clusters', 'cluster')).get(asString(context['cluster']));
  return read({
    users,
    currentUser: users.get(asString(context['user'])),
    currentCluster: cluster && clusterIn(cluster, beside),
    currentNames: { user: asString(context['user']), cluster: asString(context['cluster']) },
  });
}

const plainObject = (document: JsonDocument): JsonObject =>
  isJsonObject(document) ? asObject(plainValue(document)) : {};

const named = (config: JsonObject, list: string, field: string): readonly (readonly [string, JsonObject])[] =>
  asList(config[list])
    .map(asObject)
    .map((entry) => [asString(entry['name']), asObject(entry[field])]);

type Beside = (name: string) => string;

function userIn(user: JsonObject, beside: Beside): KubeconfigUser {
  const tokenFile = asString(user['tokenFile']);
  return {
    token: asString(user['token']),
    tokenFile: tokenFile === '' ? '' : beside(tokenFile),
    username: asString(user['username']),
    password: asString(user['password']),
    certificate: material(user, 'client-certificate', beside),
    key: material(user, 'client-key', beside),
    unusable: unusable(user),
  };
}

function unusable(user: JsonObject): string {
  if (user['auth-provider'] !== undefined) return 'auth provider not supported';
  const field = ['exec', 'as', 'as-uid', 'as-groups', 'as-user-extra'].find((name) => user[name] !== undefined);
  return field === undefined ? '' : `kadmit does not act on the field ${field} of a user in a kubeconfig`;
}

const clusterIn = (cluster: JsonObject, beside: Beside): KubeconfigCluster => ({
  server: asString(cluster['server']),
  authority: material(cluster, 'certificate-authority', beside),
  insecure: cluster['insecure-skip-tls-verify'] === true,
  serverName: asString(cluster['tls-server-name']),
});

/** Inline data wins over a file. */
function material(from: JsonObject, field: string, beside: Beside): Material | undefined {
  const data = asString(from[`${field}-data`]);
  const file = asString(from[field]);
  if (data !== '') return { base64: data };
  return file === '' ? undefined : { file: beside(file) };
}
