import { isJsonObject, type JsonDocument, type JsonValue } from '../../machinery/json/json.ts';

export const unionSchemaType = 'apiextensions.v1.JSONSchemaProps';

/** Reads one of apiextensions' JSON unions. Follows apiextensions-apiserver pkg/apis/apiextensions/v1/marshal.go. */
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

/** Other unions ignore a value that fits neither branch. */
export const boolUnionError = 'boolean or JSON schema expected';

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

/** Set on any error or unknown field; diagnose-decode.ts then finds the errors. */
export interface Anomaly {
  found: boolean;
}

/** Reads values of one type into the form that Go's encoder prints. */
export interface ValueReader {
  readonly read: (value: JsonDocument, anomaly: Anomaly) => JsonValue;
  /** What Go prints for null or an absent field. A fresh value each time. */
  readonly zero: () => JsonValue;
  /** Whether `omitempty` omits it. */
  readonly isEmpty: (value: JsonValue) => boolean;
}
