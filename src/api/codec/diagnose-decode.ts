import { goJsonKind } from '../../machinery/go/go-print.ts';
import { isJsonObject, type JsonDocument, isDocumentObject, type DocumentObject } from '../../machinery/json/json.ts';
import type { JsonText } from '../../machinery/json/json-reader.ts';
import { flattenFields, typeMetaFields, type BuiltinTypes } from '../types/builtin-types.ts';
import { formatGoType, structName, type Field, type TypeRef, unionSchemaType } from '../types/type-info.ts';
import { boolUnionError } from './read-type.ts';
import { readListedQuantity, scalarReaders } from './read-scalar.ts';

export interface Diagnosis {
  /** The first type error, or the first error that ends Go's decoding. */
  readonly error?: string;
  /** In document order. */
  readonly strict: readonly string[];
}

/**
 * Decodes again in document order to find the errors. Follows sigs.k8s.io/json internal/golang/encoding/json/decode.go.
 */
export function diagnoseDecode(types: BuiltinTypes, value: JsonDocument, name: string, text?: JsonText): Diagnosis {
  const findings: Findings = { types, fieldsOf: new Map(), unknown: [], closed: [] };
  diagnoseValue(value, { type: 'named', name }, rootPath, findings);
  const error = findings.final ?? findings.saved;
  return { ...(error === undefined ? {} : { error }), strict: strictErrors(findings, text) };
}

/** Go's limit on strict errors. */
const maxErrors = 100;

interface Findings {
  readonly types: BuiltinTypes;
  readonly fieldsOf: Map<string, ReadonlyMap<string, Field>>;
  saved?: string;
  final?: string;
  readonly unknown: string[];
  /** Paths skipped by strict decoding: unknown fields and values with their own UnmarshalJSON. */
  readonly closed: string[];
}

interface DecodePath {
  readonly struct?: string;
  readonly fields: string;
  readonly path: string;
  readonly goType?: string;
  readonly listed?: boolean;
}

const rootPath: DecodePath = { fields: '', path: '' };

function diagnoseValue(value: JsonDocument, type: TypeRef, at: DecodePath, findings: Findings): void {
  if (value === null || findings.final !== undefined) return;
  if (type.type === 'scalar') return diagnoseScalar(value, type, at, findings);
  if (type.type === 'named') return diagnoseNamed(value, type, at, findings);
  if (type.type === 'list' && Array.isArray(value)) {
    const items: readonly JsonDocument[] = value;
    for (const [index, item] of items.entries()) {
      diagnoseValue(item, type.of, itemPath(at, `${at.path}[${index}]`), findings);
    }
  } else if (type.type === 'map' && isDocumentObject(value)) {
    diagnoseMap(value, type.of, at, findings);
  } else {
    saveFirst(findings, formatMismatch(goJsonKind(value), at.goType ?? formatGoType(type), at));
  }
}

function diagnoseMap(value: DocumentObject, of: TypeRef, at: DecodePath, findings: Findings): void {
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) diagnoseValue(item, of, itemPath(at, join(at.path, key)), findings);
  }
}

function diagnoseScalar(
  value: JsonDocument,
  type: TypeRef & { type: 'scalar' },
  at: DecodePath,
  findings: Findings,
): void {
  if (isJsonObject(value) || Array.isArray(value)) findings.closed.push(at.path);
  const reading = at.listed === true ? readListedQuantity(value) : scalarReaders[type.scalar](value);
  if ('error' in reading) {
    if (reading.final) findings.final = reading.error;
    else saveFirst(findings, reading.error);
  } else if ('mismatch' in reading) {
    const { what: goKind, as, final } = reading.mismatch;
    const text = formatMismatch(goKind, as ?? at.goType ?? formatGoType(type), at);
    if (final === true) findings.final = text;
    else saveFirst(findings, text);
  }
}

function diagnoseNamed(
  value: JsonDocument,
  type: TypeRef & { type: 'named' },
  at: DecodePath,
  findings: Findings,
): void {
  const info = findings.types.typeInfo(type.name);
  if (info?.is === 'union') return diagnoseUnion(value, type.name, at, findings);
  if (info?.is === 'alias')
    return diagnoseValue(value, info.of, { ...at, goType: at.goType ?? formatGoType(type) }, findings);
  if (info?.is !== 'struct') return;
  if (!isDocumentObject(value)) {
    return saveFirst(findings, formatMismatch(goJsonKind(value), at.goType ?? formatGoType(type), at));
  }
  diagnoseFields(value, { name: type.name, fields: fieldsByName(findings, type.name) }, at, findings);
}

function diagnoseFields(
  value: DocumentObject,
  { name, fields }: { readonly name: string; readonly fields: ReadonlyMap<string, Field> },
  at: DecodePath,
  findings: Findings,
): void {
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const path = join(at.path, key);
    const field = fields.get(key);
    if (field === undefined) {
      findings.unknown.push(path);
      findings.closed.push(path);
    } else {
      const fields = join(at.fields, embeddedStructs(findings.types, name, key) ?? '');
      diagnoseValue(item, field.type, fieldPath(field, name, { ...at, fields }, path), findings);
    }
  }
}

/** Unions have their own UnmarshalJSON: it is not strict, and its error paths continue the outer one. */
function diagnoseUnion(value: JsonDocument, name: string, at: DecodePath, findings: Findings): void {
  findings.closed.push(at.path);
  const { types, fieldsOf } = findings;
  const inner: Findings = { types, fieldsOf, unknown: [], closed: [] };
  const schema: TypeRef = { type: 'named', name: unionSchemaType };
  if (isDocumentObject(value)) {
    diagnoseValue(value, schema, rootPath, inner);
  } else if (Array.isArray(value) && !name.endsWith('OrBool')) {
    const of: TypeRef = name.endsWith('OrArray') ? schema : { type: 'scalar', scalar: 'string' };
    diagnoseValue(value, { type: 'list', of }, rootPath, inner);
  } else if (typeof value !== 'boolean' && name.endsWith('OrBool')) {
    inner.final = boolUnionError;
  }
  const error = inner.final ?? inner.saved;
  if (error !== undefined) findings.final = prefixMismatch(at, error);
}

function prefixMismatch(at: DecodePath, error: string): string {
  const mismatch =
    /^json: cannot unmarshal (\S+(?: \S+)?) into Go (?:value|struct field \w+\.(\S*)) of type (\S+)$/.exec(error);
  if (mismatch === null) return error;
  const [, goKind = '', fields = '', goType = ''] = mismatch;
  return formatMismatch(goKind, goType, { ...at, fields: join(at.fields, fields) });
}

function fieldPath(field: Field, struct: string, at: DecodePath, path: string): DecodePath {
  return {
    struct: structName(struct),
    fields: join(at.fields, field.name),
    path,
    ...(field.goType === undefined ? {} : { goType: field.goType }),
    ...(field.goType === 'v1.ResourceList' ? { listed: true } : {}),
  };
}

function itemPath({ struct, fields, listed }: DecodePath, path: string): DecodePath {
  return { fields, path, ...(struct === undefined ? {} : { struct }), ...(listed === undefined ? {} : { listed }) };
}

/** A cache: a document may have a hundred thousand values of one type. */
function fieldsByName({ types, fieldsOf }: Findings, name: string): ReadonlyMap<string, Field> {
  const known = fieldsOf.get(name);
  if (known) return known;
  const typeMeta = types.hasTypeMeta(name) ? typeMetaFields : [];
  const fields = new Map([...typeMeta, ...flattenFields(types, name)].map((field) => [field.name, field]));
  fieldsOf.set(name, fields);
  return fields;
}

/**
 * Go names of the embedded structs of a field, '' for the struct's own; Go's errors include them. Follows
 * sigs.k8s.io/json internal/golang/encoding/json/decode.go object.
 */
function embeddedStructs(types: BuiltinTypes, struct: string, name: string): string | undefined {
  const info = types.typeInfo(struct);
  if (info?.is !== 'struct') return undefined;
  if (info.fields.some((field) => field.name === name)) return '';
  for (const { name: own, type } of info.fields) {
    const inner = own === '' && type.type === 'named' ? embeddedStructs(types, type.name, name) : undefined;
    if (inner !== undefined && type.type === 'named') return join(structName(type.name), inner);
  }
  return undefined;
}

const join = (path: string, name: string): string => (name === '' ? path : path === '' ? name : `${path}.${name}`);

function saveFirst(findings: Findings, text: string): void {
  findings.saved ??= text;
}

function formatMismatch(goKind: string, goType: string, { struct, fields }: DecodePath): string {
  const where = struct === undefined ? 'value' : `struct field ${struct}.${fields}`;
  return `json: cannot unmarshal ${goKind} into Go ${where} of type ${goType}`;
}

function strictErrors({ unknown, closed }: Findings, text: JsonText | undefined): readonly string[] {
  if (text?.hasDuplicates === true) return takeFirst(addDuplicates(unknown, closed, text));
  return takeFirst(unknown).map(formatUnknownField);
}

/** At most as many as Go collects, without duplicates. */
function takeFirst(texts: readonly string[]): readonly string[] {
  const first = new Set<string>();
  for (const strictError of texts) {
    if (first.size === maxErrors) break;
    first.add(strictError);
  }
  return [...first];
}

function addDuplicates(unknown: readonly string[], closed: readonly string[], text: JsonText): readonly string[] {
  const unknownPaths = new Set(unknown);
  const isClosed = (path: string): boolean =>
    closed.some((outer) => path.startsWith(outer) && (path[outer.length] === '.' || path[outer.length] === '['));
  return text.keys().flatMap(({ path, duplicate }) => {
    if (unknownPaths.has(path)) return [formatUnknownField(path)];
    return duplicate && !isClosed(path) ? [`duplicate field "${path}"`] : [];
  });
}

const formatUnknownField = (path: string): string => `unknown field "${path}"`;
