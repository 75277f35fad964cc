import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonDocument, JsonValue } from '../../machinery/json/json.ts';

/** The schema type inside all three unions. */
export const unionSchemaType = 'apiextensions.v1.JSONSchemaProps';

/**
 * The reader of one of apiextensions' JSON unions: a schema, or a list of schemas, a boolean, or a list of strings.
 * Follows apiextensions-apiserver pkg/apis/apiextensions/v1/marshal.go.
 */
export function unionReader(name: string, readerOf: (name: string) => ValueReader): ValueReader {
  const schema: ValueReader['read'] = (value, anomaly) => readerOf(unionSchemaType).read(value, anomaly);
  const isBool = name.endsWith('OrBool');
  return {
    read: (value, anomaly) => {
      if (isJsonObject(value)) return schema(value, anomaly);
      if (!isBool) return Array.isArray(value) ? listIn(name, value, schema, anomaly) : null;
      if (typeof value === 'boolean') return value;
      anomaly.found = true;
      return false;
    },
    zero: () => (isBool ? false : null),
    isEmpty: () => false,
  };
}

/** What upstream says of a value that fits neither branch; the other unions take it for nothing. */
export const boolUnionError = 'boolean or JSON schema expected';

/** An empty list is nothing. */
function listIn(
  name: string,
  items: readonly JsonDocument[],
  schema: ValueReader['read'],
  anomaly: Anomaly,
): readonly JsonValue[] | null {
  if (items.length === 0) return null;
  return items.map((item) => (name.endsWith('OrArray') ? schema(item ?? {}, anomaly) : textIn(item, anomaly)));
}

function textIn(item: JsonDocument, anomaly: Anomaly): string {
  if (typeof item === 'string') return item;
  if (item !== null) anomaly.found = true;
  return '';
}

/** Set when anything was wrong or unknown; the reader goes on, and diagnose-decode.ts then says what it was. */
export interface Anomaly {
  found: boolean;
}

/** Reads values of one type into the form in which Go's encoder prints them. */
export interface ValueReader {
  /** A value other than null. */
  readonly read: (value: JsonDocument, anomaly: Anomaly) => JsonValue;
  /** What Go prints for null or nothing. A fresh value each time. */
  readonly zero: () => JsonValue;
  /** Does `omitempty` leave it out? */
  readonly isEmpty: (value: JsonValue) => boolean;
}
