import { isJsonObject, isList, type JsonValue } from '../../machinery/json/json.ts';
import { type FieldPath, listKeyOf, keyValue, type PathStep } from '../trace/field-path.ts';
import { type FieldChange, changesBetween } from '../trace/object-changes.ts';

/**
 * The changes between two objects, with one change for each list item, label and annotation that was added or
 * removed.
 */
export const singleChanges = (before: JsonValue, after: JsonValue): readonly FieldChange[] =>
  changesBetween(before, after).flatMap(single);

function single(change: FieldChange): readonly FieldChange[] {
  const { path, before, after } = change;
  const whole = before === undefined ? after : after === undefined ? before : undefined;
  if (whole === undefined) return [change];
  const parts = partsOf(whole, path);
  if (parts.length === 0) return [change];
  return parts.map(([step, value]) => ({
    path: [...path, step],
    ...(before === undefined ? { after: value } : { before: value }),
  }));
}

function partsOf(value: JsonValue, path: FieldPath): readonly (readonly [PathStep, JsonValue])[] {
  if (isList(value)) {
    const key = listKeyOf([value]);
    return key === undefined ? [] : value.map((item) => [{ key, value: keyValue(item, key) ?? '' }, item]);
  }
  const isMap = path.length === 2 && path[0] === 'metadata' && (path[1] === 'labels' || path[1] === 'annotations');
  if (!isMap || !isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, one]]));
}
