import { sameJson } from '../../machinery/json/json-equal.ts';
import { isJsonObject, isList } from '../../machinery/json/json.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { keyOf, keyValue } from './field-path.ts';
import type { FieldPath } from './field-path.ts';

/** A place where two objects differ. `before` is absent for what was added, `after` for what was removed. */
export interface Change {
  readonly path: FieldPath;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/**
 * Where two values differ, as deep down as possible, in the order of the fields. Items of a list that have names are
 * told apart by name, so that one put in front of the others is one addition; others by their place.
 * `metadata.managedFields` is left out: nobody writes it by hand.
 */
export function changesBetween(before: JsonValue | undefined, after: JsonValue | undefined): readonly Change[] {
  const found: Change[] = [];
  compare(before, after, [], found);
  return found;
}

function compare(before: JsonValue | undefined, after: JsonValue | undefined, path: FieldPath, found: Change[]): void {
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
  found: Change[],
): void {
  const key = keyOf([before, after]);
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
