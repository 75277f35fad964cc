import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { callServer, messageIn, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { errorText } from '../../../machinery/errors.ts';
import { makeFolder, replaceFile } from '../../../adapters/files/portable-files.ts';
import { asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';

export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** An object whose keys are files of a folder. */
interface Mount extends NamespacedName {
  readonly resource: 'secrets' | 'configmaps';
  readonly folder: string;
}

const namePattern = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Throws ConfigError unless the text is `NAMESPACE/NAME`. */
export function qualifiedArgument(flag: string, text: string): NamespacedName {
  const [namespace = '', own = '', ...more] = text.split('/');
  if (more.length > 0 || !namePattern.test(namespace) || !namePattern.test(own))
    throw new ConfigError(`--${flag} ${JSON.stringify(text)} is not NAMESPACE/NAME`);
  return { namespace, name: own };
}

/** The mounts of --secret and --config-map. Throws ConfigError unless each is `NAMESPACE/NAME=FOLDER`. */
export const parseMounts = (secrets: readonly string[], configMaps: readonly string[]): readonly Mount[] => [
  ...secrets.map((text) => parseMount('secret', 'secrets', text)),
  ...configMaps.map((text) => parseMount('config-map', 'configmaps', text)),
];

function parseMount(flag: string, resource: Mount['resource'], text: string): Mount {
  const [, object = '', folder = ''] = /^([^=]*)=(.+)$/.exec(text) ?? [];
  if (folder === '') throw new ConfigError(`--${flag} ${JSON.stringify(text)} is not NAMESPACE/NAME=FOLDER`);
  return { resource, folder, ...qualifiedArgument(flag, object) };
}

const pollMs = 1000;

/**
 * Writes a file for each key of the objects, and again when they change, as the kubelet does. Rejects with ConfigError when an
 * object is missing at the start; `onProblem` receives later errors. Follows kubernetes pkg/volume/{secret,configmap}.
 */
export async function followFiles(
  access: ServerAccess,
  mounts: readonly Mount[],
  onProblem: (line: string) => void,
): Promise<{ readonly stop: () => void }> {
  const followed = await Promise.all(
    mounts.map(async (mount) => ({ mount, written: await updateFiles(access, mount, { version: '', keys: [] }) })),
  );
  let isOver = false;
  const look = async (): Promise<void> => {
    for (const one of followed) {
      if (isOver) return;
      try {
        one.written = await updateFiles(access, one.mount, one.written);
      } catch (error) {
        onProblem(errorText(error));
      }
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    timer = setTimeout(() => void look().finally(() => isOver || again()), pollMs).unref();
  };
  if (mounts.length > 0) again();
  return {
    stop: () => {
      isOver = true;
      clearTimeout(timer);
      // Values of Secrets do not stay on the disk.
      for (const { mount, written } of followed)
        if (mount.resource === 'secrets') removeFiles(mount.folder, written.keys);
    },
  };
}

function removeFiles(folder: string, keys: readonly string[]): void {
  for (const key of keys) rmSync(join(folder, key), { force: true });
}

/** The resourceVersion of the object that was written last, and its files. */
interface WrittenFiles {
  readonly version: string;
  readonly keys: readonly string[];
}

async function updateFiles(
  access: ServerAccess,
  { resource, namespace, name, folder }: Mount,
  written: WrittenFiles,
): Promise<WrittenFiles> {
  const path = `/api/v1/namespaces/${namespace}/${resource}/${name}`;
  const { code, text } = await callServer(access, { method: 'GET', path });
  if (code !== 200) throw new ConfigError(messageIn(text));
  const answer: JsonValue = JSON.parse(text);
  const object = asObject(answer);
  const version = asString(valueAt(object, 'metadata', 'resourceVersion'));
  if (version === written.version) return written;
  const files = objectFiles(resource, object);
  writeFiles(folder, files, written.keys);
  return { version, keys: [...files.keys()] };
}

/** Keys have no slash: each is the name of a file in the folder. */
export function objectFiles(resource: Mount['resource'], object: JsonObject): ReadonlyMap<string, Buffer> {
  const entries = (field: string, encoding: BufferEncoding): [string, Buffer][] =>
    Object.entries(asObject(object[field])).map(([key, value]) => [key, Buffer.from(asString(value), encoding)]);
  if (resource === 'secrets') return new Map(entries('data', 'base64'));
  return new Map([...entries('data', 'utf8'), ...entries('binaryData', 'base64')]);
}

/** Replaces each file atomically and removes those of keys that are gone. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Buffer>, before: readonly string[] = []): void {
  makeFolder(folder, 0o700);
  for (const [key, content] of files) {
    const draft = join(folder, `..${key}.new`);
    writeFileSync(draft, content, { mode: 0o600 });
    replaceFile(draft, join(folder, key));
  }
  removeFiles(
    folder,
    before.filter((key) => !files.has(key)),
  );
}

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
  account: NamespacedName,
  folder: string,
): Promise<AccountCredentials> {
  const file = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => writeFileSync(file(name), text, { mode: 0o600 });
  const renew = async (): Promise<void> => write('token', await requestToken(access, account));
  await renew();
  write('namespace', account.namespace);
  write('ca.crt', access.ca ?? '');
  write('kubeconfig', JSON.stringify(createKubeconfig(access, account, file('token'))));
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

async function requestToken(access: ServerAccess, { namespace, name }: NamespacedName): Promise<string> {
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

const createKubeconfig = (access: ServerAccess, { namespace, name }: NamespacedName, tokenFile: string): object => {
  const ca = access.ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(access.ca).toString('base64') };
  const tls = { ...(access.insecure ? { 'insecure-skip-tls-verify': true } : {}), ...serverNameField(access) };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: 'cluster', user: name, namespace } }],
    clusters: [{ name: 'cluster', cluster: { server: access.url, ...ca, ...tls } }],
    users: [{ name, user: { tokenFile } }],
  };
};

const serverNameField = (access: ServerAccess): object =>
  access.serverName === undefined ? {} : { 'tls-server-name': access.serverName };
