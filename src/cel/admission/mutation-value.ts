import { mapInTurns, onceInTurns } from '../../apimachinery/in-turns.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { isJsonObject } from '../../apimachinery/json.ts';
import { toText } from '../value/convert.ts';
import { mapEntries } from '../value/map-key.ts';
import { isVast, tooMuch } from '../value/vast.ts';
import { entriesJson, valueJson } from '../value/value-json.ts';
import { Box, isBox, isList, isMap } from '../value/value.ts';
import type { CelStruct, Value } from '../value/value.ts';

/** What a mutation's expression came to as JSON, or why it cannot be. */
export type MutationValue<T> =
  | { readonly outcome: 'value'; readonly value: T }
  | { readonly outcome: 'error'; readonly error: string };

/** `Object{…}` as an apply configuration. Follows apiserver pkg/cel/mutation/dynamic/objects.go. */
export function configurationOf(value: Value): MutationValue<JsonObject> {
  if (onceInTurns(() => isVast(value))) return failed(tooMuch);
  const wrong = onceInTurns(() => wrongTypeName(value));
  if (wrong !== undefined) return failed(`type mismatch: ${wrong}`);
  const bytes = onceInTurns(() => bytesIn(value, ''));
  if (bytes !== undefined) {
    return failed(`error applying patch: failed to convert patch object to typed object: ${bytes}`);
  }
  const json = onceInTurns(() => mutationJson(value));
  return isJsonObject(json) ? { outcome: 'value', value: json } : failed('invalid return type');
}

/** `[JSONPatch{…}]` as a JSON patch. Follows apiserver pkg/admission/plugin/policy/mutating/patch/json_patch.go. */
export function operationsOf(value: Value): MutationValue<readonly JsonObject[]> {
  if (onceInTurns(() => isVast(value))) return failed(tooMuch);
  if (!isList(value)) return failed('type mismatch: JSONPatchType.expression should evaluate to array');
  const operations: JsonObject[] = [];
  for (const item of value) {
    if (!isBox(item, 'struct'))
      return failed('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
    const { fields } = item.value;
    const given = fields.get('value');
    const wrong = given === undefined ? undefined : wrongTypeName(given);
    if (wrong !== undefined) return failed(`type mismatch: ${wrong}`);
    const foreign = given === undefined ? undefined : onceInTurns(() => withoutJson(given));
    if (foreign !== undefined) return failed(`${noJson}: ${foreign}`);
    const text = (field: string): string => textOf(fields.get(field) ?? '');
    operations.push({
      op: text('op'),
      path: text('path'),
      ...(text('from') === '' ? {} : { from: text('from') }),
      ...(given === undefined ? {} : { value: onceInTurns(() => mutationJson(given)) }),
    });
  }
  return { outcome: 'value', value: operations };
}

const failed = (error: string): { readonly outcome: 'error'; readonly error: string } => ({ outcome: 'error', error });

const noJson = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON';

/** Types of Kubernetes' own libraries, as they name themselves. Follows apiserver pkg/cel ConvertToNative. */
const ownTypes: Readonly<Record<string, string>> = {
  quantity: 'Quantity',
  url: 'URL',
  ip: 'IP',
  cidr: 'CIDR',
  semver: 'Semver',
  format: 'Format',
};

/** Why a value, or the first in it, is none that JSON has. */
function withoutJson(value: Value): string | undefined {
  if (isList(value)) return value.map(withoutJson).find((text) => text !== undefined);
  if (isMap(value)) return withoutJson(mapEntries(value).map(([, inner]) => inner));
  if (!(value instanceof Box)) return undefined;
  if (value.kind === 'type') return "type conversion not supported for 'type'";
  const own = ownTypes[value.kind];
  return own === undefined ? undefined : `type conversion error from '${own}' to '*structpb.Value'`;
}

/** Of the first object whose type is not named after its place. Follows apiserver pkg/cel/mutation/dynamic/objects.go CheckTypeNamesMatchFieldPathNames. */
function wrongTypeName(value: Value): string | undefined {
  return isBox(value, 'struct') ? wrongIn(value, value.value.name) : undefined;
}

function wrongIn(value: Value, expected: string): string | undefined {
  if (isBox(value, 'struct')) return wrongStruct(value.value, expected);
  const inner = isList(value) ? value : isMap(value) ? mapEntries(value).map(([, one]) => one) : [];
  for (const one of inner) {
    const wrong = wrongIn(one, expected);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongStruct({ name, fields }: CelStruct, expected: string): string | undefined {
  if (name !== expected) {
    return `unexpected type name "${name}", expected "${expected}", which matches field name path from root Object type`;
  }
  for (const [field, value] of fields) {
    const wrong = wrongIn(value, `${expected}.${field}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Bytes are no value that a patch could have; the complaint as upstream's schema words it. */
function bytesIn(value: Value, path: string): string | undefined {
  if (value instanceof Uint8Array) {
    const shown = Array.from(value, (byte) => `0x${byte.toString(16)}`).join(', ');
    return `${path}: expected string, got &value.valueUnstructured{Value:[]uint8{${shown}}}`;
  }
  const entries = isBox(value, 'struct') ? [...value.value.fields] : isMap(value) ? mapEntries(value) : [];
  for (const [field, inner] of entries) {
    const found = bytesIn(inner, `${path}.${textOf(field)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** As JSON; durations as CEL writes them. */
function mutationJson(value: Value): JsonValue {
  if (isList(value)) return mapInTurns(value, mutationJson);
  if (value instanceof Box) {
    if (value.kind === 'struct') return entriesJson([...value.value.fields], textOf, mutationJson);
    if (value.kind === 'optional') return value.value === undefined ? null : mutationJson(value.value);
    if (value.kind === 'duration') return textOf(value);
  }
  return isMap(value) ? entriesJson(mapEntries(value), textOf, mutationJson) : valueJson(value);
}

function textOf(value: Value): string {
  const text = toText(value);
  return typeof text === 'string' ? text : '';
}
