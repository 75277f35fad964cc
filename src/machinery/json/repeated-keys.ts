import { isJsonObject, type JsonDocument, setOwn } from './json.ts';
import { type JsonScalar, type JsonVisitor, walkJson } from './json-walk.ts';

/** The values of a key that one object has more than once, in the order of the text. */
export class RepeatedValue {
  readonly values: readonly RepeatedDocument[];
  constructor(values: readonly RepeatedDocument[]) {
    this.values = values;
  }
}

/** A document with all values of repeated keys. */
export type RepeatedDocument =
  | JsonScalar
  | RepeatedValue
  | readonly RepeatedDocument[]
  | { readonly [field: string]: RepeatedDocument };

type Fields = Record<string, RepeatedDocument>;

/** Parses a text in which readJson() found a repeated key. */
export function parseRepeatedKeys(text: string): RepeatedDocument {
  const root: RepeatedDocument[] = [];
  const open: { readonly container: RepeatedDocument[] | Fields; readonly key: string }[] = [];
  const lists = new Map<RepeatedDocument, RepeatedDocument[]>();
  let container: RepeatedDocument[] | Fields = root;
  let key = '';
  const put = (value: RepeatedDocument): void => {
    if (Array.isArray(container)) container.push(value);
    else putField(container, key, value, lists);
  };
  const visitor: JsonVisitor = {
    open: (type) => {
      const made: RepeatedDocument[] | Fields = type === 'array' ? [] : {};
      put(made);
      open.push({ container, key });
      container = made;
    },
    close: () => {
      const outer = open.pop();
      if (outer) ({ container, key } = outer);
    },
    key: (name) => {
      key = name;
    },
    scalar: put,
  };
  walkJson(text, visitor);
  return root[0] ?? null;
}

/** `lists` are those of the repeated values, which may grow. */
function putField(
  fields: Fields,
  key: string,
  value: RepeatedDocument,
  lists: Map<RepeatedDocument, RepeatedDocument[]>,
) {
  const had = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (had === undefined) {
    setOwn(fields, key, value);
    return;
  }
  const known = lists.get(had);
  if (known) {
    known.push(value);
    return;
  }
  const values = [had, value];
  const repeated = new RepeatedValue(values);
  lists.set(repeated, values);
  setOwn(fields, key, repeated);
}

type RepeatedFields = { readonly [field: string]: RepeatedDocument };

export const isRepeatedFields = (value: RepeatedDocument): value is RepeatedFields =>
  isJsonObject(value) && !(value instanceof RepeatedValue);

export const isRepeatedList = (value: RepeatedDocument): value is readonly RepeatedDocument[] => Array.isArray(value);

/** How often the most repeated key occurs. */
export const maxRepeats = (document: RepeatedDocument): number => {
  let max = 1;
  const pending: RepeatedDocument[] = [document];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next instanceof RepeatedValue) max = Math.max(max, next.values.length);
    for (const inner of childrenOf(next)) pending.push(inner);
  }
  return max;
};

function childrenOf(value: RepeatedDocument): readonly RepeatedDocument[] {
  if (value instanceof RepeatedValue) return value.values;
  if (isRepeatedList(value)) return value;
  return isRepeatedFields(value) ? Object.values(value) : [];
}

/** The document in which each repeated key has its occurrence number `occurrence`, or its last one. */
export function documentWithOccurrence(document: RepeatedDocument, occurrence: number): JsonDocument {
  if (document instanceof RepeatedValue) {
    const { values } = document;
    return documentWithOccurrence(values[Math.min(occurrence, values.length - 1)] ?? null, occurrence);
  }
  if (isRepeatedList(document)) {
    const list: JsonDocument[] = [];
    for (const item of document) list.push(documentWithOccurrence(item, occurrence));
    return list;
  }
  if (!isRepeatedFields(document)) return document;
  const fields: Record<string, JsonDocument> = {};
  for (const name of Object.keys(document)) {
    setOwn(fields, name, documentWithOccurrence(document[name] ?? null, occurrence));
  }
  return fields;
}
