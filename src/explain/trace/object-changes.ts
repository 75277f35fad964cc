import { sameJson } from '../../machinery/json/json-equal.ts';
import { isJsonObject, isList, type JsonValue } from '../../machinery/json/json.ts';
import { type FieldPath, listKeyOf, keyValue } from './field-path.ts';

/** `before` is absent for an added field, `after` for a removed one. */
export interface FieldChange {
  readonly path: FieldPath;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/**
 * The deepest differences of two values, in the order of their fields, without `metadata.managedFields`. List items
 * with names are compared by name, others by index.
 */
export function changesBetween(before: JsonValue | undefined, after: JsonValue | undefined): readonly FieldChange[] {
  const found: FieldChange[] = [];
  compare(before, after, [], found);
  return found;
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: FieldPath,
  found: FieldChange[],
): void {
  if (before === after || isManagedFields(path)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(before[field], after[field], [...path, field], found);
    }
  } else if (isList(before) && isList(after)) {
    compareLists(before, after, path, found);
  } else if (!sameJson(before, after)) {
    found.push({
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });
  }
}

const isManagedFields = (path: FieldPath): boolean => path.length === 2 && path[1] === 'managedFields';

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: FieldPath,
  found: FieldChange[],
): void {
  const key = listKeyOf([before, after]);
  if (key === undefined) {
    for (let at = 0; at < Math.max(before.length, after.length); at += 1) {
      compare(before[at], after[at], [...path, at], found);
    }
    return;
  }
  const byKey = (list: readonly JsonValue[]): ReadonlyMap<string, JsonValue> =>
    new Map(list.map((item) => [keyValue(item, key) ?? '', item]));
  const [old, now] = [byKey(before), byKey(after)];
  for (const value of new Set([...old.keys(), ...now.keys()])) {
    compare(old.get(value), now.get(value), [...path, { key, value }], found);
  }
}
