import { aggregateText } from '../../../machinery/errors.ts';
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
  const users = new Map(
    readNamedEntries(config, 'users', 'user').map(([name, user]) => [name, readUser(user, beside)]),
  );
  const contexts = new Map(readNamedEntries(config, 'contexts', 'context'));
  const context = asObject(contexts.get(asString(config['current-context'])));
  const cluster = new Map(readNamedEntries(config, 'clusters', 'cluster')).get(asString(context['cluster']));
  return read({
    users,
    currentUser: users.get(asString(context['user'])),
    currentCluster: cluster && readCluster(cluster, beside),
    currentNames: { user: asString(context['user']), cluster: asString(context['cluster']) },
  });
}

const plainObject = (document: JsonDocument): JsonObject =>
  isJsonObject(document) ? asObject(plainValue(document)) : {};

const readNamedEntries = (
  config: JsonObject,
  list: string,
  field: string,
): readonly (readonly [string, JsonObject])[] =>
  asList(config[list])
    .map(asObject)
    .map((entry) => [asString(entry['name']), asObject(entry[field])]);

type Beside = (name: string) => string;

function readUser(user: JsonObject, beside: Beside): KubeconfigUser {
  const tokenFile = asString(user['tokenFile']);
  return {
    token: asString(user['token']),
    tokenFile: tokenFile === '' ? '' : beside(tokenFile),
    username: asString(user['username']),
    password: asString(user['password']),
    certificate: readMaterial(user, 'client-certificate', beside),
    key: readMaterial(user, 'client-key', beside),
    unusable: unsupportedCredentials(user),
  };
}

function unsupportedCredentials(user: JsonObject): string {
  if (user['auth-provider'] !== undefined) return 'auth provider not supported';
  const field = ['exec', 'as', 'as-uid', 'as-groups', 'as-user-extra'].find((name) => user[name] !== undefined);
  return field === undefined ? '' : `kadmit does not act on the field ${field} of a user in a kubeconfig`;
}

const readCluster = (cluster: JsonObject, beside: Beside): KubeconfigCluster => ({
  server: asString(cluster['server']),
  authority: readMaterial(cluster, 'certificate-authority', beside),
  insecure: cluster['insecure-skip-tls-verify'] === true,
  serverName: asString(cluster['tls-server-name']),
});

/** Inline data wins over a file. */
function readMaterial(from: JsonObject, field: string, beside: Beside): Material | undefined {
  const data = asString(from[`${field}-data`]);
  const file = asString(from[field]);
  if (data !== '') return { base64: data };
  return file === '' ? undefined : { file: beside(file) };
}

export interface WebhookBackend {
  readonly url: string;
  readonly caBundle: string;
  readonly insecure: boolean;
  readonly user: KubeconfigUser | undefined;
}

/** The backend in the current context of a kubeconfig. Follows apiserver pkg/util/webhook/webhook.go LoadKubeconfig. */
export function readBackend(
  path: string,
  files: Pick<ConfigurationFiles, 'read' | 'beside'>,
): ConfigurationReading<WebhookBackend> {
  const kubeconfig = readWebhookKubeconfig(path, files);
  if (!kubeconfig.ok) return kubeconfig;
  const { currentCluster, currentUser } = kubeconfig.value;
  if (currentCluster === undefined) return unreadable(noCluster);
  const faults = materialFaults(kubeconfig.value, files);
  if (faults.length > 0) return unreadable(`invalid configuration: ${aggregateText(faults)}`);
  const caBundle = readAuthority(currentCluster, files);
  if (!caBundle.ok) return caBundle;
  const { server: url, insecure } = currentCluster;
  // client-go sends no credentials over plain HTTP.
  const user = url.startsWith('http:') ? undefined : currentUser;
  return read({ url, caBundle: caBundle.value, insecure, user });
}

const noCluster =
  'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

function materialFaults(
  { currentUser, currentCluster, currentNames: { user, cluster } }: Kubeconfig,
  files: Pick<ConfigurationFiles, 'read'>,
): readonly string[] {
  const fault = (what: string, of: string, material: Material | undefined): readonly string[] => {
    if (material === undefined || 'base64' in material) return [];
    const file = files.read(material.file);
    return file.ok
      ? []
      : [`unable to read ${what} ${material.file} for ${of} due to open ${material.file}: ${file.error}`];
  };
  return [
    ...fault('certificate-authority', cluster, currentCluster?.authority),
    ...fault('client-cert', user, currentUser?.certificate),
    ...fault('client-key', user, currentUser?.key),
  ];
}

function readAuthority(
  { authority }: KubeconfigCluster,
  files: Pick<ConfigurationFiles, 'read' | 'beside'>,
): ConfigurationReading<string> {
  if (authority === undefined) return read('');
  if ('base64' in authority) return read(authority.base64);
  const file = files.read(authority.file);
  if (file.ok) return read(btoa(file.value));
  return unreadable(`unable to load root certificates: open ${authority.file}: ${file.error}`);
}
