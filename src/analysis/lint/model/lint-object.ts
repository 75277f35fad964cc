import { asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { SourceLocation } from '../../../testing/scenario/format.ts';
import { type Located, readLocated } from '../../../testing/scenario/read/located.ts';
import { createProblems, type Problem } from '../../../testing/scenario/read/problems.ts';

export interface LintInput {
  readonly objects: readonly LintObject[];
  /** Texts of the files, for comments. */
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/** Objects in a text, such as standard input. */
export function readLintText(file: string, text: string): LintInput {
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
    : [createLocatedObject(at, { ...at.value, apiVersion, kind })];
}

/** Field names and list indices. */
export type ValuePath = readonly (string | number)[];

export interface LintObject {
  readonly object: KubernetesObject;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** `Service shop/web`. */
  readonly title: string;
  /** An object of a server, not of a file. */
  readonly isStored: boolean;
  /** Places of the object, of every parent and of the value itself; an absent value has its parent's place. */
  readonly placesOf: (path: ValuePath) => readonly [SourceLocation, ...SourceLocation[]];
}

export function createLocatedObject(at: Located, object: KubernetesObject): LintObject {
  return lintObject(object, false, (path) => {
    const places: [SourceLocation, ...SourceLocation[]] = [at.place];
    let current: Located | undefined = at;
    for (const step of path) {
      current = typeof step === 'number' ? current.items()[step] : current.get(step);
      if (current === undefined) break;
      places.push(current.keyPlace);
    }
    return places;
  });
}

/** Objects of a server have no lines. */
export const createServedObject = (object: KubernetesObject, server: string): LintObject =>
  lintObject(object, true, () => [{ file: server, line: 1, column: 1 }]);

function lintObject(object: KubernetesObject, isStored: boolean, placesOf: LintObject['placesOf']): LintObject {
  const metadata = asObject(object['metadata']);
  const { kind } = object;
  const name = asString(metadata['name']);
  const namespace = asString(metadata['namespace']);
  return {
    object,
    kind,
    name,
    namespace,
    isStored,
    title: `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`,
    placesOf,
  };
}

/** `webhooks[0].rules`. */
export const fieldText = (path: ValuePath): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('');
