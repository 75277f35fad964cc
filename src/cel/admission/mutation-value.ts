import { isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { mapEntries } from '../value/map-key.ts';
import { exceedsValueLimit, valueLimitText, entriesToJson, valueToJson } from '../value/value-json.ts';
import { Box, type CelStruct, unboxDouble, isBox, isCelList, isMap, type Value } from '../value/value.ts';
import { toGoValue, convertToText } from './go-values.ts';
import { goValueAt } from '../../machinery/go/go-print.ts';

/** The value of a mutation's expression as JSON, or the error. */
export type MutationValue<T> =
  | { readonly outcome: 'value'; readonly value: T }
  | { readonly outcome: 'error'; readonly error: string };

/**
 * `Object{…}` as an apply configuration; values without a JSON form keep their Go form. Follows apiserver
 * pkg/cel/mutation/dynamic/objects.go.
 */
export function toApplyConfiguration(value: Value): MutationValue<JsonObject> {
  if (exceedsValueLimit(value)) return mutationError(valueLimitText);
  const typeNameError = findTypeNameError(value);
  if (typeNameError !== undefined) return mutationError(`type mismatch: ${typeNameError}`);
  const json = toMutationJson(value, toGoValue);
  if (goValueAt(json)) return mutationError('invalid return type: *dynamic.ObjectVal');
  return isJsonObject(json) ? { outcome: 'value', value: json } : mutationError('invalid return type');
}

/** `[JSONPatch{…}]` as a JSON patch. Follows apiserver pkg/admission/plugin/policy/mutating/patch/json_patch.go. */
export function toJsonPatchOperations(value: Value): MutationValue<readonly JsonObject[]> {
  if (exceedsValueLimit(value)) return mutationError(valueLimitText);
  if (!isCelList(value)) return mutationError('type mismatch: JSONPatchType.expression should evaluate to array');
  const operations: JsonObject[] = [];
  for (const item of value) {
    if (!isBox(item, 'struct'))
      return mutationError('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
    const { fields } = item.value;
    const patchValue = fields.get('value');
    const typeNameError = patchValue === undefined ? undefined : findTypeNameError(patchValue);
    if (typeNameError !== undefined) return mutationError(`type mismatch: ${typeNameError}`);
    const nonJson = patchValue === undefined ? undefined : findNonJson(patchValue);
    if (nonJson !== undefined) return mutationError(`${notJson}: ${nonJson}`);
    const text = (field: string): string => convertToText(fields.get(field) ?? '');
    operations.push({
      op: text('op'),
      path: text('path'),
      ...(text('from') === '' ? {} : { from: text('from') }),
      ...(patchValue === undefined ? {} : { value: toMutationJson(patchValue, uintToJson) }),
    });
  }
  return { outcome: 'value', value: operations };
}

const mutationError = (error: string): { readonly outcome: 'error'; readonly error: string } => ({
  outcome: 'error',
  error,
});

const notJson = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON';

/** Types of Kubernetes' own libraries, as they name themselves. Follows apiserver pkg/cel ConvertToNative. */
const libraryTypes: Readonly<Record<string, string>> = {
  quantity: 'Quantity',
  url: 'URL',
  ip: 'IP',
  cidr: 'CIDR',
  semver: 'Semver',
  format: 'Format',
};

/** Why a value, or the first one inside it, has no JSON form. */
function findNonJson(value: Value): string | undefined {
  if (isCelList(value)) return value.map(findNonJson).find((text) => text !== undefined);
  if (isMap(value))
    return mapEntries(value)
      .map(findNonJsonEntry)
      .find((text) => text !== undefined);
  const number = unboxDouble(value);
  if (number !== undefined && !Number.isFinite(number)) return nonFiniteError(number);
  if (!(value instanceof Box)) return undefined;
  if (value.kind === 'type') return "type conversion not supported for 'type'";
  if (value.kind === 'optional')
    return value.value === undefined ? 'optional.none() dereference' : findNonJson(value.value);
  if (value.kind === 'struct') {
    if (value.value.name === 'JSONPatch') return 'cannot convert to native type: *structpb.Value';
    return [...value.value.fields.values()].map(findNonJsonField).find((text) => text !== undefined);
  }
  const libraryType = libraryTypes[value.kind];
  return libraryType === undefined ? undefined : `type conversion error from '${libraryType}' to '*structpb.Value'`;
}

/**
 * More values have no JSON form inside an object, as in protobuf. Follows google.golang.org/protobuf
 * types/known/structpb NewValue.
 */
function findNonJsonField(value: Value): string | undefined {
  const goValue = isBox(value, 'uint') || value instanceof Uint8Array ? undefined : goValueAt(toGoValue(value) ?? null);
  return goValue ? `proto: invalid type: ${goValue.type}` : findNonJson(value);
}

const findNonJsonEntry = ([key, value]: readonly [key: Value, value: Value]): string | undefined =>
  typeof key === 'string' ? findNonJson(value) : mapKeyError(key);

/** Follows ConvertToNative of cel-go common/types/int.go, uint.go and bool.go. */
function mapKeyError(key: Value): string {
  if (typeof key === 'boolean') return "type conversion error from bool to 'string'";
  return `unsupported type conversion from '${isBox(key, 'uint') ? 'uint' : 'int'}' to string`;
}

function nonFiniteError(number: number): string {
  const printed = Number.isNaN(number) ? 'NaN' : number > 0 ? '+Inf' : '-Inf';
  return `json: error calling MarshalJSON for type *structpb.Value: proto: google.protobuf.Value.number_value: invalid ${printed} value`;
}

/**
 * The error of the first object whose type name does not match its path. Follows apiserver
 * pkg/cel/mutation/dynamic/objects.go CheckTypeNamesMatchFieldPathNames.
 */
function findTypeNameError(value: Value): string | undefined {
  return isBox(value, 'struct') ? findNestedTypeNameError(value, value.value.name) : undefined;
}

function findNestedTypeNameError(value: Value, expected: string): string | undefined {
  if (isBox(value, 'struct')) return findStructTypeNameError(value.value, expected);
  const inner = isCelList(value) ? value : isMap(value) ? mapEntries(value).map(([, one]) => one) : [];
  for (const one of inner) {
    const typeNameError = findNestedTypeNameError(one, expected);
    if (typeNameError !== undefined) return typeNameError;
  }
  return undefined;
}

function findStructTypeNameError({ name, fields }: CelStruct, expected: string): string | undefined {
  if (name !== expected) {
    return `unexpected type name "${name}", expected "${expected}", which matches field name path from root Object type`;
  }
  for (const [field, value] of fields) {
    const typeNameError = findNestedTypeNameError(value, `${expected}.${field}`);
    if (typeNameError !== undefined) return typeNameError;
  }
  return undefined;
}

/** As JSON; durations as CEL writes them. `convertForeign` converts values that JSON does not have. */
function toMutationJson(value: Value, convertForeign: (value: Value) => JsonValue | undefined): JsonValue {
  const json = (inner: Value): JsonValue => toMutationJson(inner, convertForeign);
  const converted = convertForeign(value);
  if (converted !== undefined) return converted;
  if (isCelList(value)) return value.map(json);
  if (value instanceof Box) {
    if (value.kind === 'struct') return entriesToJson([...value.value.fields], convertToText, json);
    if (value.kind === 'optional') return value.value === undefined ? null : json(value.value);
    if (value.kind === 'duration') return convertToText(value);
  }
  return isMap(value) ? entriesToJson(mapEntries(value), convertToText, json) : valueToJson(value);
}

/** As a number where that is exact. Follows cel-go common/types/uint.go ConvertToNative. */
const uintToJson = (value: Value): JsonValue | undefined =>
  isBox(value, 'uint') && value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value.value) : undefined;
