import { mapFields } from '../../../machinery/meta/object.ts';
import { asString, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../../machinery/json/json.ts';
import { encodeBytes } from '../../../machinery/go/base64-bytes.ts';
import { readBase64 } from '../../../api/codec/read-scalar.ts';

export type ShapeReading =
  | { readonly outcome: 'decoded'; readonly object: JsonObject }
  | { readonly outcome: 'undecodable'; readonly error: string; readonly path: string };

/** Drops unknown and null fields. Follows api admission/v1/types.go (rules RSP-6, RSP-7). */
export function decodeReview(value: JsonObject): ShapeReading {
  const errors: FieldFault[] = [];
  const object = decodeFields(value, review, { struct: review.goType, path: '' }, errors);
  const [error] = errors;
  return error === undefined ? { outcome: 'decoded', object } : { outcome: 'undecodable', ...error };
}

/** The type name in Go's decoding errors. */
export function goJsonTypeName(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

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

const review = struct('v1.AdmissionReview', {
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
  const found = shape.type === 'integer' && typeof value === 'number' ? `number ${value}` : goJsonTypeName(value);
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
    const found = typeof item === 'number' ? `number ${item}` : goJsonTypeName(item);
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
