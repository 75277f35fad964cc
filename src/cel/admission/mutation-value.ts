import { isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { mapEntries } from '../value/map-key.ts';
import { exceedsValueLimit, valueLimitText, entriesJson, valueJson } from '../value/value-json.ts';
import { Box, type CelStruct, doubleOf, isBox, isCelList, isMap, type Value } from '../value/value.ts';
import { goValue, convertedText } from './go-values.ts';
import { goValueAt } from '../../machinery/go/go-print.ts';

/** The value of a mutation's expression as JSON, or why it has none. */
export type MutationValue<T> =
  | { readonly outcome: 'value'; readonly value: T }
  | { readonly outcome: 'error'; readonly error: string };

/**
 * `Object{…}` as an apply configuration; what JSON has not is there as Go has it.
 * Follows apiserver pkg/cel/mutation/dynamic/objects.go.
 */
export function configurationOf(value: Value): MutationValue<JsonObject> {
  if (exceedsValueLimit(value)) return failed(valueLimitText);
  const wrong = wrongTypeName(value);
  if (wrong !== undefined) return failed(`type mismatch: ${wrong}`);
  const json = mutationJson(value, goValue);
  if (goValueAt(json)) return failed('invalid return type: *dynamic.ObjectVal');
  return isJsonObject(json) ? { outcome: 'value', value: json } : failed('invalid return type');
}

/** `[JSONPatch{…}]` as a JSON patch. Follows apiserver pkg/admission/plugin/policy/mutating/patch/json_patch.go. */
export function operationsOf(value: Value): MutationValue<readonly JsonObject[]> {
  if (exceedsValueLimit(value)) return failed(valueLimitText);
  if (!isCelList(value)) return failed('type mismatch: JSONPatchType.expression should evaluate to array');
  const operations: JsonObject[] = [];
  for (const item of value) {
    if (!isBox(item, 'struct'))
      return failed('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
    const { fields } = item.value;
    const given = fields.get('value');
    const wrong = given === undefined ? undefined : wrongTypeName(given);
    if (wrong !== undefined) return failed(`type mismatch: ${wrong}`);
    const foreign = given === undefined ? undefined : withoutJson(given);
    if (foreign !== undefined) return failed(`${noJson}: ${foreign}`);
    const text = (field: string): string => convertedText(fields.get(field) ?? '');
    operations.push({
      op: text('op'),
      path: text('path'),
      ...(text('from') === '' ? {} : { from: text('from') }),
      ...(given === undefined ? {} : { value: mutationJson(given, uintJson) }),
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
  if (isCelList(value)) return value.map(withoutJson).find((text) => text !== undefined);
  if (isMap(value))
    return mapEntries(value)
      .map(entryWithoutJson)
      .find((text) => text !== undefined);
  const number = doubleOf(value);
  if (number !== undefined && !Number.isFinite(number)) return notFinite(number);
  if (!(value instanceof Box)) return undefined;
  if (value.kind === 'type') return "type conversion not supported for 'type'";
  if (value.kind === 'optional')
    return value.value === undefined ? 'optional.none() dereference' : withoutJson(value.value);
  if (value.kind === 'struct') {
    if (value.value.name === 'JSONPatch') return 'cannot convert to native type: *structpb.Value';
    return [...value.value.fields.values()].map(fieldWithoutJson).find((text) => text !== undefined);
  }
  const own = ownTypes[value.kind];
  return own === undefined ? undefined : `type conversion error from '${own}' to '*structpb.Value'`;
}

/** In an object more is without, as protobuf says. Follows google.golang.org/protobuf types/known/structpb NewValue. */
function fieldWithoutJson(value: Value): string | undefined {
  const foreign = isBox(value, 'uint') || value instanceof Uint8Array ? undefined : goValueAt(goValue(value) ?? null);
  return foreign ? `proto: invalid type: ${foreign.type}` : withoutJson(value);
}

const entryWithoutJson = ([key, value]: readonly [key: Value, value: Value]): string | undefined =>
  typeof key === 'string' ? withoutJson(value) : noKey(key);

/** Follows ConvertToNative of cel-go common/types/int.go, uint.go and bool.go. */
function noKey(key: Value): string {
  if (typeof key === 'boolean') return "type conversion error from bool to 'string'";
  return `unsupported type conversion from '${isBox(key, 'uint') ? 'uint' : 'int'}' to string`;
}

function notFinite(number: number): string {
  const printed = Number.isNaN(number) ? 'NaN' : number > 0 ? '+Inf' : '-Inf';
  return `json: error calling MarshalJSON for type *structpb.Value: proto: google.protobuf.Value.number_value: invalid ${printed} value`;
}

/** Of the first object whose type is not named after its place. Follows apiserver pkg/cel/mutation/dynamic/objects.go CheckTypeNamesMatchFieldPathNames. */
function wrongTypeName(value: Value): string | undefined {
  return isBox(value, 'struct') ? wrongIn(value, value.value.name) : undefined;
}

function wrongIn(value: Value, expected: string): string | undefined {
  if (isBox(value, 'struct')) return wrongStruct(value.value, expected);
  const inner = isCelList(value) ? value : isMap(value) ? mapEntries(value).map(([, one]) => one) : [];
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

/** As JSON; durations as CEL writes them, and what `foreign` knows as it says. */
function mutationJson(value: Value, foreign: (value: Value) => JsonValue | undefined): JsonValue {
  const json = (inner: Value): JsonValue => mutationJson(inner, foreign);
  const given = foreign(value);
  if (given !== undefined) return given;
  if (isCelList(value)) return value.map(json);
  if (value instanceof Box) {
    if (value.kind === 'struct') return entriesJson([...value.value.fields], convertedText, json);
    if (value.kind === 'optional') return value.value === undefined ? null : json(value.value);
    if (value.kind === 'duration') return convertedText(value);
  }
  return isMap(value) ? entriesJson(mapEntries(value), convertedText, json) : valueJson(value);
}

/** As a number where that is exact. Follows cel-go common/types/uint.go ConvertToNative. */
const uintJson = (value: Value): JsonValue | undefined =>
  isBox(value, 'uint') && value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value.value) : undefined;
