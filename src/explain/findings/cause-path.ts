import { isJsonObject, isList, type JsonValue } from '../../machinery/json/json.ts';
import type { FieldPath, PathStep } from '../trace/field-path.ts';
import { itemsAt } from './list-items.ts';

/** `spec.containers[0].image` of a Status, with items by name: `spec.containers[name=web].image`. */
export function causePath(field: string, object: JsonValue | undefined): FieldPath {
  const path: PathStep[] = [];
  let at = object;
  for (const [, name, bracketed] of field.matchAll(/\.?([^.[\]]+)|\[([^\]]*)(?:\]|$)/g)) {
    const text = name ?? bracketed ?? '';
    path.push(isList(at) ? (itemsAt(at, [])[Number(text)]?.[0] ?? Number(text)) : text);
    at = isList(at) ? at[Number(text)] : isJsonObject(at) ? at[text] : undefined;
  }
  return path;
}
