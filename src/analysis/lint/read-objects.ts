import { existsSync } from 'node:fs';
import { isJsonObject } from '../../machinery/json/json.ts';
import { type Located, readLocated } from '../../testing/scenario/read/located.ts';
import { manifestFiles, readTextFile } from '../../testing/scenario/read/files.ts';
import { createProblems, type Problem, type Problems } from '../../testing/scenario/read/problems.ts';
import { type LintObject, locatedObject } from './model/lint-object.ts';

export interface ReadObjects {
  readonly objects: readonly LintObject[];
  /** Texts of the files, for comments. */
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/** Reads files and manifests of folders. Reports unreadable ones as problems; never throws. */
export function readObjects(paths: readonly string[]): ReadObjects {
  const problems = createProblems();
  const texts = new Map<string, string>();
  const objects = paths.flatMap((path) => {
    if (existsSync(path)) return manifestFiles(path).flatMap((file) => objectsOf(file, texts, problems));
    problems.add({ place: { file: path, line: 1, column: 1 }, path: '', message: 'there is no such file or folder' });
    return [];
  });
  return { objects, texts, problems: problems.all() };
}

/** Objects in a text, such as standard input. */
export function objectsInText(file: string, text: string): ReadObjects {
  const problems = createProblems();
  const { documents, problems: broken } = readLocated(file, text);
  for (const problem of broken) problems.add({ ...problem, path: '' });
  return { objects: documents.flatMap(objectsAt), texts: new Map([[file, text]]), problems: problems.all() };
}

function objectsOf(file: string, texts: Map<string, string>, problems: Problems): readonly LintObject[] {
  const reading = readTextFile(file);
  if (reading.outcome === 'unreadable') {
    problems.add({ place: { file, line: 1, column: 1 }, path: '', message: reading.error });
    return [];
  }
  const read = objectsInText(file, reading.text);
  texts.set(file, reading.text);
  for (const problem of read.problems) problems.add(problem);
  return read.objects;
}

/** The object of a document, or the items of a List; other documents (values of a chart) have none. */
function objectsAt(at: Located): readonly LintObject[] {
  if (!isJsonObject(at.value)) return [];
  const { apiVersion, kind } = at.value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  const items = at.get('items');
  return kind.endsWith('List') && items
    ? items.items().flatMap(objectsAt)
    : [locatedObject(at, { ...at.value, apiVersion, kind })];
}
