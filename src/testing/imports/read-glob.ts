import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { JsonObject } from '../../machinery/json/json.ts';
import { readBeside } from './read-documents.ts';

/** The objects in the files that a test names beside itself, perhaps with `*` in the last part of the path. */
export function readGlob(test: string, path: string, notes: string[]): readonly JsonObject[] {
  if (path === '') {
    notes.push('an operation has neither a resource nor a file: left out');
    return [];
  }
  if (!basename(path).includes('*')) return readBeside(test, [path], notes);
  const folder = join(dirname(test), dirname(path));
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => isNamed(name, basename(path))) : [];
  if (names.length === 0) notes.push(`${path} names no file`);
  return readBeside(
    test,
    names.toSorted().map((name) => join(dirname(path), name)),
    notes,
  );
}

/** Does a name fit a pattern in which each `*` is any text? */
function isNamed(name: string, pattern: string): boolean {
  const [start = '', ...others] = pattern.split('*');
  const end = others.pop() ?? '';
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  let at = start.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - end.length;
}
