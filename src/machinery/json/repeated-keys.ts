import { createJsonBuilder } from './json-reader.ts';
import { isJsonObject, type JsonDocument, setOwn } from './json.ts';
import { type JsonScalar, walkJson } from './json-walk.ts';

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

/** Parses a text in which readJson() found a repeated key. */
export function parseRepeatedKeys(text: string): RepeatedDocument {
  /** The lists of the repeated values, which may grow. */
  const lists = new Map<RepeatedDocument, RepeatedDocument[]>();
  const addField = (fields: Record<string, RepeatedDocument>, key: string, value: RepeatedDocument): void => {
    const before = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const known = before === undefined ? undefined : lists.get(before);
    if (known) {
      known.push(value);
    } else if (before === undefined) {
      setOwn(fields, key, value);
    } else {
      const values = [before, value];
      const repeated = new RepeatedValue(values);
      lists.set(repeated, values);
      setOwn(fields, key, repeated);
    }
  };
  const builder = createJsonBuilder<JsonScalar | RepeatedValue>((value) => value, addField);
  walkJson(text, builder.visitor);
  return builder.value();
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
