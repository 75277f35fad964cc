import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClassicLevel } from 'classic-level';
import { errorText } from '../../apimachinery/error-text.ts';
import type { Snapshot } from '../../store/storage.ts';
import { dataVersion, emptyLedger, readLedger, replaced, writeLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { weightOf } from './record.ts';
import type { DataRecord, Records } from './record.ts';
import { tornTable } from './table-file.ts';
import { createWitness } from './witness.ts';
import type { Witness } from './witness.ts';

/** A data directory cannot be used: the message says which, why and what to do. */
export class DataDirError extends Error {}

/** Where the records of a directory are written. */
export interface DataFile {
  /** Writes records and removals (a path alone) at once or not at all; resolves when they are on the disk. */
  readonly write: (changes: readonly (DataRecord | string)[], revision: number) => Promise<void>;
  /** The record that lies at a path. */
  readonly read: (path: string) => Promise<DataRecord | undefined>;
  readonly close: () => Promise<void>;
}

const recordPrefix = 'o:';
const ledgerKey = 'ledger';
/** How far the witness may be behind. */
const noteAfterMs = 1000;

/**
 * Opens the directory and reads it whole. Throws DataDirError when another process has it, when a newer kadmit wrote it, or
 * when what lies there is not all that was written. `sync`: a write waits for the disk.
 */
export async function openDataFile(
  directory: string,
  { sync, records }: { readonly sync: boolean; readonly records: Records },
): Promise<{ readonly file: DataFile; readonly contents: Snapshot }> {
  const database = await openDatabase(directory);
  try {
    const witness = createWitness(directory);
    const { contents, weights, ledger } = await readAll(database, directory, records);
    if (witness.seen() > ledger.revision) {
      throw torn(directory, `it ends at revision ${ledger.revision}, and had come to ${witness.seen()}`);
    }
    return { file: fileOver(database, { weights, ledger, witness, sync }), contents };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function fileOver(
  database: ClassicLevel,
  { weights, ledger, witness, sync }: Omit<Read, 'contents'> & { readonly witness: Witness; readonly sync: boolean },
): DataFile {
  let now = ledger;
  let noting: NodeJS.Timeout | undefined;
  return {
    write: async (changes, revision) => {
      const next = entered(changes, weights, { ...now, revision });
      const puts = changes.map((change) =>
        typeof change === 'string'
          ? ({ type: 'del', key: recordPrefix + change } as const)
          : ({ type: 'put', key: recordPrefix + change.path, value: change.text } as const),
      );
      await database.batch([...puts, { type: 'put', key: ledgerKey, value: writeLedger(next) }], { sync });
      now = next;
      noting ??= setTimeout(() => {
        noting = undefined;
        witness.note(now.revision);
      }, noteAfterMs).unref();
    },
    read: async (path) => {
      const text: string | undefined = await database.get(recordPrefix + path);
      return text === undefined ? undefined : { path, text };
    },
    close: async () => {
      clearTimeout(noting);
      await database.close();
      witness.note(now.revision);
    },
  };
}

/** The ledger after these changes; the weights are brought up to date. */
function entered(changes: readonly (DataRecord | string)[], weights: Map<string, number>, before: Ledger): Ledger {
  let { sum } = before;
  for (const change of changes) {
    const path = typeof change === 'string' ? change : change.path;
    const weight = typeof change === 'string' ? undefined : weightOf(change);
    sum = replaced(sum, weights.get(path), weight);
    if (weight === undefined) weights.delete(path);
    else weights.set(path, weight);
  }
  return { ...before, objects: weights.size, sum };
}

async function openDatabase(directory: string): Promise<ClassicLevel> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const folder = join(directory, 'objects');
  const damaged = existsSync(folder) ? tornTable(folder) : undefined;
  if (damaged !== undefined) throw torn(directory, `objects/${damaged} is not as it was written`);
  const { ClassicLevel } = await import('classic-level');
  const database = new ClassicLevel(folder, { compression: false });
  try {
    await database.open();
    return database;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const text = errorText(cause);
    if (/lock/i.test(text))
      throw new DataDirError(`${directory} is in use by another kadmit: stop it, or name another folder`);
    throw torn(directory, text);
  }
}

const torn = (directory: string, what: string): DataDirError =>
  new DataDirError(
    `${directory} is damaged: ${what}. Nothing of it was used; put back a copy, or start with another folder`,
  );

interface Read {
  readonly contents: Snapshot;
  readonly weights: Map<string, number>;
  readonly ledger: Ledger;
}

async function readAll(database: ClassicLevel, directory: string, records: Records): Promise<Read> {
  const weights = new Map<string, number>();
  const entries: Snapshot['entries'][number][] = [];
  const text = await readOr(() => database.get(ledgerKey), directory);
  const ledger = text === undefined ? emptyLedger : readLedger(text);
  if (!ledger) throw torn(directory, 'its ledger is unreadable');
  if (ledger.version > dataVersion) {
    throw new DataDirError(
      `${directory} was written by a newer kadmit (version ${ledger.version} of the format, this one reads ${dataVersion}): use that one`,
    );
  }
  let sum = 0;
  await readOr(async () => {
    for await (const [key, value] of database.iterator({ gte: recordPrefix, lt: 'o;' })) {
      const record = { path: key.slice(recordPrefix.length), text: value };
      await records.unlock(record);
      const entry = entryIn(record, records, directory);
      if (!entry) throw torn(directory, `${record.path} is unreadable`);
      const weight = weightOf(record);
      weights.set(record.path, weight);
      sum = replaced(sum, undefined, weight);
      entries.push(entry);
    }
  }, directory);
  if (entries.length !== ledger.objects)
    throw torn(directory, `${entries.length} objects are there, and ${ledger.objects} were written`);
  if (sum !== ledger.sum) throw torn(directory, 'an object is not as it was written');
  return { contents: { entries, revision: ledger.revision }, weights, ledger };
}

function entryIn(record: DataRecord, records: Records, directory: string): ReturnType<Records['read']> {
  try {
    return records.read(record);
  } catch (error) {
    throw new DataDirError(
      `${directory} cannot be read: ${record.path}: ${errorText(error)}; give the --encryption-provider-config it was written with`,
    );
  }
}

/** What reading comes to; the engine's own complaints are about damage. */
async function readOr<T>(read: () => Promise<T>, directory: string): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof DataDirError ? error : torn(directory, errorText(error));
  }
}
