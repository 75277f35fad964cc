import { isJsonObject } from '../../machinery/json/json.ts';
import { type Located, readLocated } from '../../testing/scenario/read/located.ts';
import { createProblems, type Problem } from '../../testing/scenario/read/problems.ts';
import { type LintObject, locatedObject } from './model/lint-object.ts';

export interface ReadObjects {
  readonly objects: readonly LintObject[];
  /** Texts of the files, for comments. */
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/** Objects in a text, such as standard input. */
export function objectsInText(file: string, text: string): ReadObjects {
  const problems = createProblems();
  const { documents, problems: broken } = readLocated(file, text);
  for (const problem of broken) problems.add({ ...problem, path: '' });
  return { objects: documents.flatMap(lintObjectsAt), texts: new Map([[file, text]]), problems: problems.all() };
}

/** The object of a document, or the items of a List; other documents (values of a chart) have none. */
export function lintObjectsAt(at: Located): readonly LintObject[] {
  if (!isJsonObject(at.value)) return [];
  const { apiVersion, kind } = at.value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  const items = at.get('items');
  return kind.endsWith('List') && items
    ? items.items().flatMap(lintObjectsAt)
    : [locatedObject(at, { ...at.value, apiVersion, kind })];
}
