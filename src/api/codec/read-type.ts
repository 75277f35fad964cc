import { mapFields } from '../../machinery/meta/object.ts';
import {
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  isDocumentObject,
  type DocumentObject,
  sortedNames,
} from '../../machinery/json/json.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import { type Field, type Scalar, type TypeRef, unionSchemaType } from '../types/type-info.ts';
import { canBeEmpty } from './stored-form.ts';
import { insertByRank } from '../types/field-order.ts';
import { isEmptyScalar, readListedQuantity, scalarReaders, scalarZeros, type ScalarReader } from './read-scalar.ts';

export type ReaderOf = (name: string) => ValueReader;

export function createReaders(types: BuiltinTypes): ReaderOf {
  const readers = new Map<string, ValueReader>();
  const readerOf: ReaderOf = (name) => {
    const known = readers.get(name);
    if (known !== undefined) return known;
    const reader = createReader(name);
    readers.set(name, reader);
    return reader;
  };
  const createReader: ReaderOf = (name) => {
    const info = types.typeInfo(name);
    if (info === undefined) throw new Error(`no type ${name}`);
    if (info.is === 'alias') return createRefReader(info.of, readerOf);
    if (info.is === 'union') return createUnionReader(name, readerOf);
    const plans = info.fields.flatMap((field) => planFields(field, types, readerOf));
    const fields = plans.map((plan, rank): FieldPlan => ({ ...plan, rank }));
    return createStructReader({
      typeMeta: types.hasTypeMeta(name),
      fields: new Map(fields.map((field) => [field.name, field])),
      printed: fields.filter(({ absent }) => absent !== 'nothing'),
    });
  };
  return readerOf;
}

function createRefReader(type: TypeRef, readerOf: ReaderOf): ValueReader {
  if (type.type === 'scalar') return createScalarReader(type.scalar, scalarReaders[type.scalar]);
  if (type.type === 'named') return createLazyReader(type.name, readerOf);
  const element = createRefReader(type.of, readerOf);
  if (type.type === 'list') return createListReader(element);
  // Null bytes in a map are stored as empty.
  const isBytes = type.of.type === 'scalar' && type.of.scalar === 'bytes';
  return createMapReader(isBytes ? { ...element, zero: () => '' } : element);
}

/** Lazy: types may contain themselves. */
function createLazyReader(name: string, readerOf: ReaderOf): ValueReader {
  let cached: ValueReader | undefined;
  const reader = (): ValueReader => (cached ??= readerOf(name));
  return {
    read: (value, anomaly) => reader().read(value, anomaly),
    zero: () => reader().zero(),
    isEmpty: (value) => reader().isEmpty(value),
  };
}

const createScalarReader = (scalar: Scalar, reader: ScalarReader): ValueReader => ({
  read: (value, anomaly) => {
    const reading = reader(value);
    if ('value' in reading) return reading.value;
    anomaly.found = true;
    return scalarZeros[scalar];
  },
  zero: () => scalarZeros[scalar],
  isEmpty: (value) => isEmptyScalar(scalar, value),
});

const createListReader = (element: ValueReader): ValueReader => ({
  read: (value, anomaly) => {
    if (Array.isArray(value)) {
      const items: readonly JsonDocument[] = value;
      return items.map((item) => (item === null ? element.zero() : element.read(item, anomaly)));
    }
    anomaly.found = true;
    return null;
  },
  zero: () => null,
  isEmpty: (value) => value === null || (Array.isArray(value) && value.length === 0),
});

const createMapReader = (element: ValueReader): ValueReader => ({
  read: (value, anomaly) => {
    if (isDocumentObject(value)) return readMap(value, element, anomaly);
    anomaly.found = true;
    return null;
  },
  zero: () => null,
  isEmpty: (value) => value === null || (isJsonObject(value) && Object.keys(value).length === 0),
});

/** Go prints maps sorted by key. */
function readMap(value: DocumentObject, element: ValueReader, anomaly: Anomaly): JsonObject {
  return mapFields(sortedNames(value), (key) => {
    const item = value[key];
    if (item === undefined) return undefined;
    return item === null ? element.zero() : element.read(item, anomaly);
  });
}

interface FieldPlan {
  readonly name: string;
  readonly rank: number;
  readonly reader: ValueReader;
  /** Printed for null or an absent field. */
  readonly absent: 'nothing' | 'null' | 'zero';
  readonly omits: (value: JsonValue) => boolean;
}

interface StructPlan {
  readonly typeMeta: boolean;
  readonly fields: ReadonlyMap<string, FieldPlan>;
  readonly printed: readonly FieldPlan[];
}

function createStructReader(plan: StructPlan): ValueReader {
  const nothing = {};
  const quiet: Anomaly = { found: false };
  return {
    read: (value, anomaly) => {
      if (isDocumentObject(value)) return readStruct(plan, value, anomaly);
      anomaly.found = true;
      return readStruct(plan, nothing, quiet);
    },
    zero: () => readStruct(plan, nothing, quiet),
    isEmpty: () => false,
  };
}

function planFields(field: Field, types: BuiltinTypes, readerOf: ReaderOf): readonly Omit<FieldPlan, 'rank'>[] {
  if (field.name === '' && field.type.type === 'named') {
    const inlined = types.typeInfo(field.type.name);
    return inlined?.is === 'struct' ? inlined.fields.flatMap((one) => planFields(one, types, readerOf)) : [];
  }
  const reader = isResourceList(field)
    ? createMapReader(createScalarReader('quantity', readListedQuantity))
    : createRefReader(field.type, readerOf);
  if (field.pointer) {
    const { name, omitEmpty } = field;
    return [{ name, reader, omits: omitEmpty ? isNull : neverOmits, absent: omitEmpty ? 'nothing' : 'null' }];
  }
  const omits = createOmits(field, reader);
  const absent = omits(reader.zero()) ? 'nothing' : 'zero';
  // Empty and absent values differ here: `printed` omits empty ones.
  return [{ name: field.name, reader, omits: canBeEmpty(types, field.type) ? isNull : omits, absent }];
}

const isResourceList = ({ goType }: Field): boolean => goType === 'v1.ResourceList';

const neverOmits = (): boolean => false;

/** A union with neither branch is written as null. */
const isNull = (value: JsonValue): boolean => value === null;

function createOmits({ omitEmpty, omitZero }: Field, reader: ValueReader): (value: JsonValue) => boolean {
  if (omitZero) return (value) => reader.isEmpty(value) || JSON.stringify(value) === JSON.stringify(reader.zero());
  return omitEmpty ? reader.isEmpty : neverOmits;
}

function readStruct(plan: StructPlan, value: DocumentObject, anomaly: Anomaly): JsonObject {
  const out: Record<string, JsonValue> = {};
  if (plan.typeMeta) readTypeMeta(value, out, anomaly);
  for (const field of selectFields(plan, value, anomaly)) {
    const item = value[field.name];
    if (item === undefined || item === null) {
      out[field.name] = field.absent === 'null' ? null : field.reader.zero();
    } else {
      const read = field.reader.read(item, anomaly);
      if (!field.omits(read)) out[field.name] = read;
    }
  }
  return out;
}

/** The given fields and those printed anyway, in order. */
function selectFields(plan: StructPlan, value: DocumentObject, anomaly: Anomaly): readonly FieldPlan[] {
  const fields: FieldPlan[] = [];
  for (const name in value) {
    const item = value[name];
    const field = plan.fields.get(name);
    if (item !== undefined && field === undefined && !(plan.typeMeta && typeMeta.includes(name))) anomaly.found = true;
    if (item !== undefined && item !== null && field !== undefined) insertByRank(fields, field);
  }
  for (const field of plan.printed) {
    const item = value[field.name]; // A field's name is never one that objects inherit.
    if (item === undefined || item === null) insertByRank(fields, field);
  }
  return fields;
}

const typeMeta = ['kind', 'apiVersion'];

function readTypeMeta(value: DocumentObject, out: Record<string, JsonValue>, anomaly: Anomaly): void {
  for (const name of typeMeta) {
    const item = value[name];
    if (typeof item === 'string' && item !== '') out[name] = item;
    else if (item !== undefined && item !== null && item !== '') anomaly.found = true;
  }
}

/** Reads one of apiextensions' JSON unions. Follows apiextensions-apiserver pkg/apis/apiextensions/v1/marshal.go. */
export function createUnionReader(name: string, readerOf: (name: string) => ValueReader): ValueReader {
  const schema: ValueReader['read'] = (value, anomaly) => readerOf(unionSchemaType).read(value, anomaly);
  const isBool = name.endsWith('OrBool');
  return {
    read: (value, anomaly) => {
      if (isJsonObject(value)) return schema(value, anomaly);
      if (!isBool) return Array.isArray(value) ? readUnionList(name, value, schema, anomaly) : null;
      if (typeof value === 'boolean') return value;
      anomaly.found = true;
      return false;
    },
    zero: () => (isBool ? false : null),
    isEmpty: () => false,
  };
}

/** Other unions ignore a value that fits neither branch. */
export const boolUnionError = 'boolean or JSON schema expected';

function readUnionList(
  name: string,
  items: readonly JsonDocument[],
  schema: ValueReader['read'],
  anomaly: Anomaly,
): readonly JsonValue[] | null {
  if (items.length === 0) return null;
  return items.map((item) => (name.endsWith('OrArray') ? schema(item ?? {}, anomaly) : readUnionText(item, anomaly)));
}

function readUnionText(item: JsonDocument, anomaly: Anomaly): string {
  if (typeof item === 'string') return item;
  if (item !== null) anomaly.found = true;
  return '';
}

/** Set on any error or unknown field; diagnose-decode.ts then finds the errors. */
export interface Anomaly {
  found: boolean;
}

/** Reads values of one type into the form that Go's encoder prints. */
export interface ValueReader {
  readonly read: (value: JsonDocument, anomaly: Anomaly) => JsonValue;
  /** What Go prints for null or an absent field. A fresh value each time. */
  readonly zero: () => JsonValue;
  /** Whether `omitempty` omits it. */
  readonly isEmpty: (value: JsonValue) => boolean;
}
