import { dirname, join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { readLocated } from '../scenario/read/located.ts';
import { readTextFile } from '../scenario/read/files.ts';

/** The items of Lists are separate objects. Throws ConfigError for an unreadable file. */
export function readDocuments(file: string): readonly JsonObject[] {
  const { documents, problem } = tryDocuments(file);
  if (problem !== undefined) throw new ConfigError(problem);
  return documents;
}

/** Like readDocuments, but returns the first problem. */
export function tryDocuments(file: string): {
  readonly documents: readonly JsonObject[];
  readonly problem: string | undefined;
} {
  const reading = readTextFile(file);
  if (reading.outcome === 'unreadable') return { documents: [], problem: `${file}: ${reading.error}` };
  const { documents, problems } = readLocated(file, reading.text);
  const [first] = problems;
  return {
    documents: documents.flatMap(({ value }) => (isJsonObject(value) ? itemsOf(value) : [])),
    problem: first && `${file}:${first.place.line}:${first.place.column}: ${first.message}`,
  };
}

function itemsOf(object: JsonObject): readonly JsonObject[] {
  const { kind, items } = object;
  return kind === 'List' && Array.isArray(items) ? items.filter(isJsonObject) : [object];
}

/** Reads files relative to the test; missing or broken ones become notes. */
export function readRelative(test: string, paths: readonly string[], notes: string[]): readonly JsonObject[] {
  return paths.flatMap((path) => {
    if (/^https?:/.test(path)) {
      notes.push(`${path} is not fetched: kadmit import reads files`);
      return [];
    }
    const { documents, problem } = tryDocuments(join(dirname(test), path));
    if (problem !== undefined) notes.push(problem);
    return documents;
  });
}
