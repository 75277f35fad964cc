import { isJsonObject } from '../apimachinery/json.ts';
import type { JsonDocument } from '../apimachinery/json.ts';
import type { ValueReader } from './read-type.ts';

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
      if (isBool && typeof value === 'boolean') return value;
      const items: readonly JsonDocument[] | undefined = Array.isArray(value) ? value : undefined;
      if (!isBool && items !== undefined) {
        return name.endsWith('OrArray')
          ? items.map((item) => schema(item, anomaly))
          : items.map((item) => stringItem(item, () => (anomaly.found = true)));
      }
      anomaly.found = true;
      return null;
    },
    zero: () => (isBool ? false : null),
    isEmpty: () => false,
  };
}

/** What upstream says of a value that fits no branch. */
export const unionError = (name: string): string =>
  name.endsWith('OrBool') ? 'boolean or JSON schema expected' : 'invalid union value';

function stringItem(item: JsonDocument, wrong: () => void): string {
  if (typeof item === 'string') return item;
  wrong();
  return '';
}
