import { isJsonObject, isList, setOwn, type JsonValue } from '../../machinery/json/json.ts';

/** A meta/v1 value with omitempty lists and maps, as Go's error texts print it. */
export function withoutEmpty(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(withoutEmpty);
  if (!isJsonObject(value)) return value;
  const kept = {};
  for (const name of Object.keys(value)) {
    const item = value[name];
    const isEmpty = isList(item) ? item.length === 0 : isJsonObject(item) && Object.keys(item).length === 0;
    if (item !== undefined && (!isEmpty || name === 'fieldsV1')) {
      setOwn(kept, name, name === 'fieldsV1' ? item : withoutEmpty(item));
    }
  }
  return kept;
}
