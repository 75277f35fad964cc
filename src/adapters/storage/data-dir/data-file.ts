import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClassicLevel } from 'classic-level';
import { makeFolder } from '../../files/portable-files.ts';
import { errorText } from '../../../machinery/errors.ts';
import {
  resourceVersionOf,
  type StorageSnapshot,
  type StoredObject,
  type StoreKey,
} from '../../../apiserver/storage/storage.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asKubernetesObject, withMetadata } from '../../../machinery/meta/object.ts';
import { readStoredJson } from '../../../machinery/json/json-reader.ts';

/** The message says which directory, why, and what to do. */
export class DataDirError extends Error {}

export interface DataFile {
  readonly write: (changes: readonly (DataRecord | string)[], revision: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const recordPrefix = 'o:';
/** Value: `VERSION REVISION`. */
const headKey = 'head';
const formatVersion = 1;
/** Of an empty store; the first write gets 2, as in memory. */
const firstRevision = 1;

/**
 * Opens the directory and reads all objects. `sync`: writes wait for the disk. Throws DataDirError when another
 * process uses it, a newer kadmit wrote it, or it cannot be read.
 */
export async function openDataFile(
  directory: string,
  { sync }: { readonly sync: boolean },
): Promise<{ readonly file: DataFile; readonly contents: StorageSnapshot }> {
  const database = await openDatabase(directory);
  try {
    const contents = await readContents(database, directory);
    return { file: createDataFile(database, sync), contents };
  } catch (error) {
    await database.close();
    throw error instanceof DataDirError ? error : damaged(directory, errorText(error));
  }
}

const createDataFile = (database: ClassicLevel, sync: boolean): DataFile => ({
  write: (changes, revision) => {
    const operations = changes.map((change) =>
      typeof change === 'string'
        ? ({ type: 'del', key: recordPrefix + change } as const)
        : ({ type: 'put', key: recordPrefix + change.path, value: change.text } as const),
    );
    const head = { type: 'put', key: headKey, value: `${formatVersion} ${revision}` } as const;
    return database.batch([...operations, head], { sync });
  },
  close: () => database.close(),
});

/** An optional peer dependency, since its installation runs a script. */
async function loadLevelDb(): Promise<typeof ClassicLevel> {
  try {
    return (await import('classic-level')).ClassicLevel;
  } catch (error) {
    throw new DataDirError(
      `needs the package classic-level beside kadmit (npm install classic-level@3, with --global for a global kadmit): ${errorText(error)}`,
    );
  }
}

async function openDatabase(directory: string): Promise<ClassicLevel> {
  const Database = await loadLevelDb();
  makePrivate(directory);
  const database = new Database(join(directory, 'objects'));
  try {
    await database.open();
    makePrivate(directory); // LevelDB writes some files anew when it opens.
    return database;
  } catch (error) {
    if (error instanceof DataDirError) throw error;
    const text = errorText(error instanceof Error && error.cause instanceof Error ? error.cause : error);
    if (/lock/i.test(text)) {
      throw new DataDirError(`${directory} is in use by another kadmit: stop it, or name another folder`);
    }
    throw damaged(directory, text);
  }
}

/** Objects include Secrets: only the owner may read the folder and its files. */
function makePrivate(directory: string): void {
  makeFolder(directory, 0o700);
  try {
    chmodSync(directory, 0o700);
    for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
      if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o700);
      if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o600);
    }
  } catch (error) {
    throw new DataDirError(
      `${directory} cannot be made private (mode 0700): ${errorText(error)}. Name a folder that belongs to this user`,
    );
  }
}

const damaged = (directory: string, reason: string): DataDirError =>
  new DataDirError(`${directory} is damaged: ${reason}. Restore a copy, or start with another folder`);

async function readContents(database: ClassicLevel, directory: string): Promise<StorageSnapshot> {
  const revision = await readRevision(database, directory);
  const entries: StorageSnapshot['entries'][number][] = [];
  for await (const [key, text] of database.iterator({ gte: recordPrefix, lt: 'o;' })) {
    const path = key.slice(recordPrefix.length);
    const entry = fromRecord({ path, text });
    if (!entry) throw damaged(directory, `${path} is unreadable`);
    entries.push(entry);
  }
  return { entries, revision };
}

async function readRevision(database: ClassicLevel, directory: string): Promise<number> {
  const head: string | undefined = await database.get(headKey);
  if (head === undefined) return firstRevision;
  const [version = NaN, revision = NaN] = head.split(' ').map(Number);
  if (version > formatVersion) {
    throw new DataDirError(
      `${directory} was written by a newer kadmit (format ${version}, this one reads ${formatVersion}): use that version`,
    );
  }
  if (!Number.isSafeInteger(version) || !Number.isSafeInteger(revision))
    throw damaged(directory, 'its head is unreadable');
  return revision;
}

/** A path, and `REVISION JSON`. */
interface DataRecord {
  readonly path: string;
  readonly text: string;
}

/** `GROUP/RESOURCE/NAMESPACE/NAME`. */
export const dataPath = ({ resource, namespace, name }: StoreKey): string =>
  `${resource.group}/${resource.resource}/${namespace}/${name}`;

/** Without resourceVersion, which is the revision. */
export const toRecord = (key: StoreKey, { object, revision }: StoredObject): DataRecord => ({
  path: dataPath(key),
  text: `${revision} ${writeJson(withMetadata(object, { resourceVersion: undefined }))}`,
});

function fromRecord({ path, text }: DataRecord): { readonly key: StoreKey; readonly stored: StoredObject } | undefined {
  const [group = '', resource, namespace = '', name, ...more] = path.split('/');
  const end = text.indexOf(' ');
  const revision = Number(text.slice(0, end));
  if (!resource || name === undefined || more.length > 0 || !Number.isSafeInteger(revision)) return undefined;
  const object = asKubernetesObject(readStoredJson(text.slice(end + 1)));
  return (
    object && {
      key: { resource: { group, resource }, namespace, name },
      stored: { object: withMetadata(object, { resourceVersion: resourceVersionOf(revision) }), revision },
    }
  );
}
