import { isJsonObject, isList } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { leaf } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { compareElements, elementName, markSorted } from './path-element.ts';
import { deduced, deducedMap } from './value-type.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';

/**
 * The fields of a value that was not there before: nearly the whole of a create. A map or list is a member itself,
 * besides what is in it. Follows structured-merge-diff typed/compare.go with nothing on the left side.
 *
 * The set is written as the text in which managedFields shows it and read back: that is faster than to make and sort
 * it piece by piece, and Pods of one template, whose texts are equal, share one set.
 */
export function addedFields(type: ValueType, value: JsonValue): FieldSet {
  const text = textOf(type, value);
  return text === nothingBelow ? leaf : setOf(text);
}

const nothingBelow = '{}';

function textOf(type: ValueType, value: JsonValue): string {
  if (type.is === 'scalar') return nothingBelow;
  if (type.is === 'list') return isList(value) ? listText(type, value) : nothingBelow;
  if (!isJsonObject(value)) return nothingBelow;
  return mapText(type.is === 'map' ? type : deducedMap, value);
}

function mapText(type: MapType, object: JsonObject): string {
  if (type.atomic) return nothingBelow;
  let text = '';
  for (const name of Object.keys(object).sort()) {
    const value = object[name];
    if (value !== undefined) text += `,${JSON.stringify(`f:${name}`)}:${textOf(type.field(name) ?? deduced, value)}`;
  }
  return text === '' ? nothingBelow : `{".":{}${text}}`;
}

function listText(type: ListType, list: readonly JsonValue[]): string {
  if (type.relation === 'atomic' || list.length === 0) return nothingBelow;
  const texts = new Map<string, string>();
  const of = type.element();
  for (const item of list) {
    const name = elementName(item, type);
    // Elements that repeat a name are one leaf together.
    texts.set(name, texts.has(name) ? nothingBelow : textOf(of, item));
  }
  let text = '';
  for (const name of [...texts.keys()].sort(compareElements)) text += `,${JSON.stringify(name)}:${texts.get(name)}`;
  return `{".":{}${text}}`;
}

/** Sets by their texts, as long as all texts together are not longer than this. */
const mostCharacters = 4 * 1024 * 1024;
const longestKept = 64 * 1024;
const known = new Map<string, FieldSet>();
let kept = 0;

function setOf(text: string): FieldSet {
  const same = known.get(text);
  if (same) return same;
  const set: FieldSet = JSON.parse(text);
  markSorted(set);
  if (text.length > longestKept) return set;
  if (kept + text.length > mostCharacters) {
    known.clear();
    kept = 0;
  }
  known.set(text, set);
  kept += text.length;
  return set;
}
