import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../machinery/files/make-folder.ts';
import { asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { errorText } from '../../../machinery/error-text.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { callServer, messageIn } from '../../../adapters/config/kubeconfig/call-server.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/server-access.ts';
import type { Mount } from './in-pod-options.ts';

const everyMs = 1000;

/**
 * Keeps folders as the kubelet would: a file for each key, new ones when the object changes. Throws ConfigError for an
 * object that is not there to begin with; `tell` gets what goes wrong later. Follows kubernetes pkg/volume/{secret,configmap}.
 */
export async function followFiles(
  access: ServerAccess,
  mounts: readonly Mount[],
  tell: (line: string) => void,
): Promise<{ readonly stop: () => void }> {
  const followed = await Promise.all(
    mounts.map(async (mount) => ({ mount, seen: await bring(access, mount, nothing) })),
  );
  let isOver = false;
  const look = async (): Promise<void> => {
    for (const one of followed) {
      if (isOver) return;
      try {
        one.seen = await bring(access, one.mount, one.seen);
      } catch (error) {
        tell(errorText(error));
      }
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    timer = setTimeout(() => void look().finally(() => isOver || again()), everyMs).unref();
  };
  if (mounts.length > 0) again();
  return {
    stop: () => {
      isOver = true;
      clearTimeout(timer);
      for (const { mount, seen } of followed) if (mount.resource === 'secrets') removeFiles(mount.folder, seen.keys);
    },
  };
}

/** What a Secret holds does not stay on the disk. */
function removeFiles(folder: string, keys: readonly string[]): void {
  for (const key of keys) rmSync(join(folder, key), { force: true });
}

/** What was written last: of which version, and the files. */
interface Seen {
  readonly version: string;
  readonly keys: readonly string[];
}

const nothing: Seen = { version: '', keys: [] };

/** Writes the files if the object is another than the one that was seen. */
async function bring(access: ServerAccess, { resource, namespace, name, folder }: Mount, seen: Seen): Promise<Seen> {
  const path = `/api/v1/namespaces/${namespace}/${resource}/${name}`;
  const { code, text } = await callServer(access, { method: 'GET', path });
  if (code !== 200) throw new ConfigError(messageIn(text));
  const answer: JsonValue = JSON.parse(text);
  const object = asObject(answer);
  const version = asString(valueAt(object, 'metadata', 'resourceVersion'));
  if (version === seen.version) return seen;
  const files = filesOf(resource, object);
  writeFiles(folder, files, seen.keys);
  return { version, keys: [...files.keys()] };
}

/** Keys cannot hold a slash, so each names a file of its folder. */
export function filesOf(resource: Mount['resource'], object: JsonObject): ReadonlyMap<string, Buffer> {
  const entries = (field: string, encoding: BufferEncoding): [string, Buffer][] =>
    Object.entries(asObject(object[field])).map(([key, value]) => [key, Buffer.from(asString(value), encoding)]);
  if (resource === 'secrets') return new Map(entries('data', 'base64'));
  return new Map([...entries('data', 'utf8'), ...entries('binaryData', 'base64')]);
}

/** Each file is replaced at once; of those that were written before, the ones whose keys are gone go. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Buffer>, before: readonly string[] = []): void {
  makeFolder(folder, 0o700);
  for (const [key, content] of files) {
    const draft = join(folder, `..${key}.new`);
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, join(folder, key));
  }
  for (const key of before) if (!files.has(key)) rmSync(join(folder, key), { force: true });
}
