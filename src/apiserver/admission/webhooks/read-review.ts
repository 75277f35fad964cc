import { typeMetaErrorPrefix, typeMetaStruct } from '../../../machinery/json/body-type.ts';
import { goJsonKind } from '../../../machinery/go/go-print.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import {
  asString,
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  setOwn,
} from '../../../machinery/json/json.ts';
import { registeredType } from '../../../machinery/meta/gvk.ts';
import type { ReviewVersion } from './review.ts';
import { mapFields } from '../../../machinery/meta/object.ts';
import { encodeBytes } from '../../../machinery/go/base64-bytes.ts';
import { readBase64 } from '../../../api/codec/read-scalar.ts';

export type ReviewReading =
  | { readonly outcome: 'read'; readonly review: JsonObject }
  /** Follows `failed to call webhook: `. */
  | { readonly outcome: 'undecodable'; readonly error: string; readonly because?: 'patch-not-base64' };

/** Called when a response does not start with a brace. */
export type ParseYaml = (text: string) => Promise<ReviewYaml>;

export type ReviewYaml =
  | { readonly outcome: 'read'; readonly value: JsonDocument }
  | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * Decodes JSON if it starts with a brace, else YAML; the Content-Type does not matter. Follows apimachinery
 * pkg/runtime/serializer/json/json.go and client-go rest/request.go (rules RSP-2, RSP-6 to RSP-9).
 */
export async function readReview(
  body: string,
  version: ReviewVersion,
  { parseYaml }: { readonly parseYaml: ParseYaml },
): Promise<ReviewReading> {
  const document = await readDocument(body, parseYaml);
  if (document.outcome === 'unreadable') return undecodable(document.error);
  const value = plainValue(document.value);
  if (value !== null && !isJsonObject(value)) {
    return undecodable(
      `${typeMetaErrorPrefix}json: cannot unmarshal ${goJsonKind(value)} into Go value of type ${typeMetaStruct}`,
    );
  }
  const type = checkType(value ?? {}, version);
  if (type !== '') return undecodable(type);
  const faults: FieldFault[] = [];
  const review = decodeFields(value ?? {}, reviewStruct, { struct: reviewStruct.goType, path: '' }, faults);
  const [fault] = faults;
  if (fault === undefined) return { outcome: 'read', review };
  const because = fault.path === 'response.patch' ? ({ because: 'patch-not-base64' } as const) : {};
  return { outcome: 'undecodable', error: fault.error, ...because };
}

const undecodable = (error: string): ReviewReading => ({ outcome: 'undecodable', error });

async function readDocument(body: string, parseYaml: ParseYaml): Promise<ReviewYaml> {
  if (!/^\s*\{/.test(body)) return parseYaml(body);
  const reading = readJson(body);
  if (reading.outcome === 'unreadable') return { outcome: 'unreadable', error: typeMetaErrorPrefix + reading.error };
  return { outcome: 'read', value: reading.json.value };
}

/** Upstream names the scheme after the line that creates it. */
const scheme = 'k8s.io/apiserver/pkg/util/webhook/client.go:71';

/** '' when valid; missing kind and apiVersion are valid. */
function checkType({ kind, apiVersion }: JsonObject, version: ReviewVersion): string {
  const expected = `admission.k8s.io/${version}`;
  if (kind === 'AdmissionReview' && apiVersion === expected) return '';
  const mistyped = [...fieldMistyped('apiVersion', apiVersion), ...fieldMistyped('kind', kind)];
  if (mistyped.length > 0) return typeMetaErrorPrefix + mistyped.join('');
  const actual = asString(apiVersion) || expected;
  const actualKind = asString(kind) || 'AdmissionReview';
  if (actual.split('/').length > 2) return `unexpected GroupVersion string: ${actual}`;
  if (actualKind === 'AdmissionReview' && actual === expected) return '';
  const type = registeredType(actualKind, actual, 'admission.k8s.io', ['AdmissionReview']);
  return type === ''
    ? `no kind ${goQuote(actualKind)} is registered for version ${goQuote(actual)} in scheme ${goQuote(scheme)}`
    : `converting (${type}) to (${version}.AdmissionReview): unknown conversion`;
}

/** The struct of these two fields is anonymous. */
const fieldMistyped = (field: string, value: JsonValue | undefined): readonly string[] =>
  value === undefined || value === null || typeof value === 'string'
    ? []
    : [`json: cannot unmarshal ${goJsonKind(value)} into Go struct field .${field} of type string`];

type Shape =
  | { readonly type: 'bool' | 'string' | 'integer' | 'bytes'; readonly goType: string }
  | { readonly type: 'list' | 'map'; readonly goType: string; readonly items: Shape }
  | Struct;

interface Struct {
  readonly type: 'struct';
  readonly goType: string;
  readonly fields: ReadonlyMap<string, Shape>;
}

const text = (goType = 'string'): Shape => ({ type: 'string', goType });
const integer = (goType: string): Shape => ({ type: 'integer', goType });
const list = (items: Shape): Shape => ({ type: 'list', goType: `[]${items.goType}`, items });
const struct = (goType: string, fields: Readonly<Record<string, Shape>>): Struct => ({
  type: 'struct',
  goType,
  fields: new Map(Object.entries(fields)),
});

const cause = struct('v1.StatusCause', { reason: text('v1.CauseType'), message: text(), field: text() });

const status = struct('v1.Status', {
  kind: text(),
  apiVersion: text(),
  metadata: struct('v1.ListMeta', {
    selfLink: text(),
    resourceVersion: text(),
    continue: text(),
    remainingItemCount: integer('int64'),
  }),
  status: text(),
  message: text(),
  reason: text('v1.StatusReason'),
  details: struct('v1.StatusDetails', {
    name: text(),
    group: text(),
    kind: text(),
    uid: text('types.UID'),
    causes: list(cause),
    retryAfterSeconds: integer('int32'),
  }),
  code: integer('int32'),
});

/** Unknown and null fields are dropped. Follows api admission/v1/types.go (rules RSP-6, RSP-7). */
const reviewStruct = struct('v1.AdmissionReview', {
  kind: text(),
  apiVersion: text(),
  // Ignored (rule RSP-26).
  request: struct('v1.AdmissionRequest', {}),
  response: struct('v1.AdmissionResponse', {
    uid: text('types.UID'),
    allowed: { type: 'bool', goType: 'bool' },
    status,
    patch: { type: 'bytes', goType: '[]uint8' },
    patchType: text('v1.PatchType'),
    auditAnnotations: { type: 'map', goType: 'map[string]string', items: text() },
    warnings: list(text()),
  }),
});

interface FieldFault {
  readonly error: string;
  readonly path: string;
}

/** The innermost struct, and the fields from the top. */
interface StructPath {
  readonly struct: string;
  readonly path: string;
}

function decode(value: JsonValue, shape: Shape, place: StructPath, errors: FieldFault[]): JsonValue | undefined {
  if (value === null) return undefined;
  if (shape.type === 'list' && Array.isArray(value)) {
    return value.map((item) => decode(item, shape.items, place, errors) ?? '');
  }
  if (shape.type === 'map' && isJsonObject(value)) return decodeMap(value, shape.items, place, errors);
  if (shape.type === 'struct' && isJsonObject(value)) return decodeFields(value, shape, place, errors);
  if (shape.type === 'bytes' && Array.isArray(value)) return decodeByteList(value, place, errors);
  if (isScalarOf(shape, value)) return shape.type === 'bytes' ? decodeBytes(asString(value), place, errors) : value;
  errors.push({ error: mistyped(value, shape, place), path: place.path });
  return undefined;
}

function isScalarOf({ type, goType }: Shape, value: JsonValue): boolean {
  if (type === 'integer')
    return Number.isInteger(value) && (goType !== 'int32' || Number(value) === (Number(value) | 0));
  return type === 'bool'
    ? typeof value === 'boolean'
    : (type === 'string' || type === 'bytes') && typeof value === 'string';
}

function mistyped(value: JsonValue, shape: Shape, place: StructPath): string {
  const found = shape.type === 'integer' && typeof value === 'number' ? `number ${value}` : goJsonKind(value);
  return unmarshalError(found, place, shape.goType);
}

function unmarshalError(found: string, { struct: owner, path }: StructPath, goType: string): string {
  const structName = owner.slice(owner.indexOf('.') + 1);
  return `json: cannot unmarshal ${found} into Go struct field ${structName}.${path} of type ${goType}`;
}

function decodeFields(value: JsonObject, shape: Struct, { path }: StructPath, errors: FieldFault[]): JsonObject {
  const decoded: JsonObject = {};
  for (const field of Object.keys(value)) {
    const inner = shape.fields.get(field);
    const content = inner && value[field];
    if (inner === undefined || content === undefined) continue;
    const place = { struct: shape.goType, path: path === '' ? field : `${path}.${field}` };
    const result = decode(content, inner, place, errors);
    if (result !== undefined) setOwn(decoded, field, result);
  }
  return decoded;
}

function decodeMap(value: JsonObject, items: Shape, place: StructPath, errors: FieldFault[]): JsonObject {
  return mapFields(Object.keys(value), (key) => {
    const content = value[key];
    return content === undefined ? undefined : (decode(content, items, place, errors) ?? '');
  });
}

/** Go accepts a list of numbers for bytes; kube-rs writes patches so. Follows encoding/json decode.go. */
function decodeByteList(list: readonly JsonValue[], place: StructPath, errors: FieldFault[]): string {
  const bytes = list.map((item) => {
    if (item === null) return 0;
    if (typeof item === 'number' && item === (item & 0xff)) return item;
    const found = typeof item === 'number' ? `number ${item}` : goJsonKind(item);
    errors.push({ error: unmarshalError(found, place, 'uint8'), path: place.path });
    return 0;
  });
  return encodeBytes(Uint8Array.from(bytes));
}

/** The text stays base64 until the patch is applied. */
function decodeBytes(base64: string, { path }: StructPath, errors: FieldFault[]): string | undefined {
  const reading = readBase64(base64);
  if (reading.outcome === 'read') return reading.text;
  errors.push({ error: `illegal base64 data at input byte ${reading.offset}`, path });
  return undefined;
}
