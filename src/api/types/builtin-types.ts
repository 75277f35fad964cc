import { apiVersionOf, parseApiVersion, type GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { Field, Scalar, TypeInfo, TypeRef } from './type-info.ts';
import type { JsonValue } from '../../machinery/json/json.ts';

const scalars: ReadonlySet<string> = new Set<Scalar>([
  'string',
  'bool',
  'int32',
  'int64',
  'float64',
  'bytes',
  'quantity',
  'intstr',
  'time',
  'microtime',
  'duration',
  'raw',
  'fieldsv1',
  'json',
  'any',
]);

const isScalar = (text: string): text is Scalar => scalars.has(text);

function parseType(text: string): TypeRef {
  if (text.startsWith('[]')) return { type: 'list', of: parseType(text.slice(2)) };
  if (text.startsWith('{}')) return { type: 'map', of: parseType(text.slice(2)) };
  return isScalar(text) ? { type: 'scalar', scalar: text } : { type: 'named', name: text };
}

function parseAlias(text: string): TypeInfo {
  if (text.startsWith('union ')) return { is: 'union', numbers: parseNumbers(text.slice('union '.length)) };
  const [of = '', values] = text.split('|');
  const message = of.endsWith('!');
  return {
    is: 'alias',
    of: parseType(message ? of.slice(0, -1) : of),
    values: values === undefined ? [] : values.split(','),
    message,
  };
}

function parseNumbers(json: string): Readonly<Record<string, number>> {
  const numbers: Readonly<Record<string, number>> = JSON.parse(json);
  return numbers;
}

const parseStruct = (lines: readonly string[], atomic: boolean): TypeInfo => ({
  is: 'struct',
  fields: lines.map(parseField),
  atomic,
});

function parseField(line: string): Field {
  const [name = '', type = '', flags = '', number = '', ...rest] = line.split(' ');
  const marks = new Map(rest.map((mark) => splitAt(mark, '=')));
  const mark = (key: string, field: keyof Field): Readonly<Record<string, string>> => {
    const value = marks.get(key);
    return value === undefined ? {} : { [field]: value };
  };
  const keys = marks.get('lk');
  return {
    name: name.startsWith(',') ? '' : name,
    type: parseType(type),
    omitEmpty: flags.includes('o'),
    omitZero: flags.includes('z'),
    pointer: flags.includes('p'),
    required: flags.includes('r'),
    number: Number(number),
    ...(keys === undefined ? {} : { listMapKeys: keys.split(',') }),
    ...mark('lt', 'listType'),
    ...mark('mt', 'mapType'),
    ...mark('ps', 'patchStrategy'),
    ...mark('pk', 'patchMergeKey'),
    ...mark('d', 'default'),
    ...mark('g', 'goType'),
  };
}

function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** test/tools/make-builtin.mjs describes the compact form. */
export interface TypeTables {
  /** `v1.37.2`. */
  readonly version: string;
  /** By `apps/v1/Deployment`. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string | readonly string[]>>;
  /** Structs with atomic ownership. */
  readonly atomic: readonly string[];
  /** Kinds that are registered but not served. */
  readonly unserved: readonly string[];
}

export interface BuiltinTypes {
  /** `v1.37.2`. */
  readonly version: string;
  /** 36. */
  readonly minor: number;
  /** undefined for an unknown name. */
  readonly typeInfo: (name: string) => TypeInfo | undefined;
  /** `core.v1.Pod`; undefined for an unknown kind. */
  readonly typeOfKind: (kind: GroupVersionKind) => string | undefined;
  readonly typeOfObject: (object: { readonly apiVersion: string; readonly kind: string }) => string | undefined;
  /** Whether upstream's scheme has the kind, served or not. */
  readonly isRegistered: (kind: GroupVersionKind) => boolean;
  /** All `group/version` in upstream's scheme, the core one as `/v1`. */
  readonly registeredVersions: ReadonlySet<string>;
  /** Types by kind, for kinds with a group and version of their own. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Whether the type has `kind` and `apiVersion`, even nested as in volumeClaimTemplates. */
  readonly hasTypeMeta: (name: string) => boolean;
}

/** Types are parsed lazily. */
export function createBuiltinTypes(tables: TypeTables): BuiltinTypes {
  const types = new Map(Object.entries(tables.types));
  const kinds = new Map(Object.entries(tables.kinds));
  const atomic = new Set(tables.atomic);
  const unserved = new Set(tables.unserved);
  const topLevel = new Set(kinds.values());
  const parsed = new Map<string, TypeInfo>();
  const versions = new Map<string, Map<string, string>>();
  for (const [path, type] of kinds) {
    const [apiVersion, kind] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
    versions.set(apiVersion, (versions.get(apiVersion) ?? new Map<string, string>()).set(kind, type));
  }
  const typeOfKind = (kind: GroupVersionKind): string | undefined =>
    versions.get(apiVersionOf(kind))?.get(kind.kind) ?? findMetaType(kind);
  return {
    version: tables.version,
    minor: Number(tables.version.split('.')[1]),
    typeInfo: (name) => {
      const cached = parsed.get(name);
      if (cached !== undefined) return cached;
      const compact = types.get(name);
      if (compact === undefined) return undefined;
      const info = typeof compact === 'string' ? parseAlias(compact) : parseStruct(compact, atomic.has(name));
      parsed.set(name, info);
      return info;
    },
    typeOfKind,
    typeOfObject: ({ apiVersion, kind }) =>
      versions.get(apiVersion)?.get(kind) ?? findMetaType({ ...parseApiVersion(apiVersion), kind }),
    isRegistered: (kind) => typeOfKind(kind) !== undefined || unserved.has(`${apiVersionOf(kind)}/${kind.kind}`),
    registeredVersions: new Set(
      [...kinds.keys(), ...unserved]
        .map((key) => key.slice(0, key.lastIndexOf('/')))
        .map((path) => (path.includes('/') ? path : `/${path}`)),
    ),
    kinds,
    hasTypeMeta: (name) => topLevel.has(name) || metaRoots.has(name),
  };
}

/** Added to every group version. Follows apimachinery pkg/apis/meta/v1/register.go. */
const optionKinds = new Set(['Create', 'Update', 'Patch', 'Delete', 'Get', 'List'].map((verb) => `${verb}Options`));
const unversionedKinds = new Set(['Status', 'List', 'WatchEvent']);
const metaKinds = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

function findMetaType({ group, kind }: GroupVersionKind): string | undefined {
  if (optionKinds.has(kind)) return `meta.v1.${kind}`;
  if (group === '' && unversionedKinds.has(kind)) return `meta.v1.${kind}`;
  return group === 'meta.k8s.io' && metaKinds.has(kind) ? `meta.v1.${kind}` : undefined;
}

const metaRoots: ReadonlySet<string> = new Set(
  [...optionKinds, ...unversionedKinds, ...metaKinds, 'ApplyOptions', 'TableOptions']
    .filter((kind) => kind !== 'WatchEvent')
    .map((kind) => `meta.v1.${kind}`),
);

/** In Go's order with inlined structs expanded; empty for any other type. */
export function flattenFields(types: BuiltinTypes, name: string): readonly Field[] {
  const info = types.typeInfo(name);
  if (info?.is !== 'struct') return [];
  return info.fields.flatMap((field) =>
    field.name === '' && field.type.type === 'named' ? flattenFields(types, field.type.name) : [field],
  );
}

/** The extra fields of a type with hasTypeMeta. */
export const typeMetaFields: readonly Field[] = ['kind', 'apiVersion'].map((name) => ({
  name,
  type: { type: 'scalar', scalar: 'string' },
  omitEmpty: true,
  omitZero: false,
  pointer: false,
  required: false,
  number: 0,
}));

/** Follows kube-openapi pkg/generators mustEnforceDefault. */
export function publishedDefault(types: BuiltinTypes, field: Field): JsonValue | undefined {
  if (field.default !== undefined) {
    const value: JsonValue = JSON.parse(field.default);
    return value;
  }
  return field.pointer ? undefined : zeroValue(types, field.type, !field.omitEmpty && !field.omitZero);
}

/** Structs default to {}, scalars only if they are always printed. */
export function zeroValue(types: BuiltinTypes, type: TypeRef, isPrinted = true): JsonValue | undefined {
  if (type.type === 'scalar') return isPrinted ? zeros[type.scalar] : undefined;
  if (type.type !== 'named') return undefined;
  const info = types.typeInfo(type.name);
  if (info?.is === 'alias') return zeroValue(types, info.of, isPrinted);
  return info?.is === 'struct' ? {} : undefined;
}

const zeros: Readonly<Partial<Record<Scalar, JsonValue>>> = { string: '', bool: false, int32: 0, int64: 0, float64: 0 };
