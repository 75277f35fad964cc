import builtin from '../builtin/types.json' with { type: 'json' };
import { apiVersionOf } from '../../apimachinery/gvk.ts';
import type { GroupVersionKind } from '../../apimachinery/gvk.ts';

/**
 * The type of a value: what JSON and Go make of it. A named type is `core.v1.Pod`; `time` and the like are those of
 * apimachinery; `any` is interface{}.
 */
export type TypeRef =
  | { readonly type: 'scalar'; readonly scalar: Scalar }
  | { readonly type: 'list'; readonly of: TypeRef }
  | { readonly type: 'map'; readonly of: TypeRef }
  | { readonly type: 'named'; readonly name: string };

export type Scalar =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | 'bytes'
  | 'quantity'
  | 'intstr'
  | 'time'
  | 'microtime'
  | 'duration'
  | 'raw'
  | 'fieldsv1'
  | 'json'
  | 'any';

/** A field of a struct, as Go declares it. */
export interface Field {
  /** Its JSON name; '' when it is inlined. */
  readonly name: string;
  readonly type: TypeRef;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly pointer: boolean;
  /** As OpenAPI publishes it; decoding never asks. */
  readonly required: boolean;
  /** The protobuf field number; 0 when it has none. */
  readonly number: number;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  /** granular or atomic. */
  readonly mapType?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** The published default, as JSON. */
  readonly default?: string;
  /** Go's name of the type where `type` does not tell. */
  readonly goType?: string;
}

export type TypeInfo =
  | { readonly is: 'struct'; readonly fields: readonly Field[]; readonly atomic: boolean }
  /** Another name of `of`; `message` when protobuf wraps the list in a message. */
  | { readonly is: 'alias'; readonly of: TypeRef; readonly values: readonly string[]; readonly message: boolean }
  /** One of three JSON unions of apiextensions/v1; `numbers` are their protobuf fields. */
  | { readonly is: 'union'; readonly numbers: Readonly<Record<string, number>> };

const types: ReadonlyMap<string, string | readonly string[]> = new Map(Object.entries(builtin.types));
const kinds: ReadonlyMap<string, string> = new Map(Object.entries(builtin.kinds));
const atomicTypes: ReadonlySet<string> = new Set(builtin.atomic);
const parsed = new Map<string, TypeInfo>();

/** The version of Kubernetes the types are of: `v1.36.2`. */
export const kubernetesVersion: string = builtin.version;

/** The fields of a named type; undefined for a name that is not known. */
export function typeInfo(name: string): TypeInfo | undefined {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const compact = types.get(name);
  if (compact === undefined) return undefined;
  const info = typeof compact === 'string' ? parseAlias(compact) : parseStruct(name, compact);
  parsed.set(name, info);
  return info;
}

/** What meta/v1 adds to every group and version. Follows apimachinery pkg/apis/meta/v1/register.go. */
const optionKinds = new Set(['Create', 'Update', 'Patch', 'Delete', 'Get', 'List'].map((verb) => `${verb}Options`));
const unversionedKinds = new Set(['Status', 'List', 'WatchEvent']);
const metaKinds = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/** The type of a kind, `core.v1.Pod`; undefined for a kind that this server does not have. */
export function typeOfKind(kind: GroupVersionKind): string | undefined {
  const served = kinds.get(`${apiVersionOf(kind)}/${kind.kind}`);
  if (served !== undefined) return served;
  if (optionKinds.has(kind.kind)) return `meta.v1.${kind.kind}`;
  if (kind.group === '' && unversionedKinds.has(kind.kind)) return `meta.v1.${kind.kind}`;
  return kind.group === 'meta.k8s.io' && metaKinds.has(kind.kind) ? `meta.v1.${kind.kind}` : undefined;
}

const unserved: ReadonlySet<string> = new Set(builtin.unserved);

/** Does upstream's code know the kind, whether or not this version serves it? */
export const isRegistered = (kind: GroupVersionKind): boolean =>
  typeOfKind(kind) !== undefined || unserved.has(`${apiVersionOf(kind)}/${kind.kind}`);

/** Every `group/version` that upstream's code knows, the core one as `/v1`, whether or not it is served. */
export const registeredVersions: ReadonlySet<string> = new Set(
  [...kinds.keys(), ...unserved]
    .map((key) => key.slice(0, key.lastIndexOf('/')))
    .map((path) => (path.includes('/') ? path : `/${path}`)),
);

/** Kinds with a group and version of their own, with their types. */
export const builtinKinds = (): ReadonlyMap<string, string> => kinds;

const topLevelTypes: ReadonlySet<string> = new Set(kinds.values());

/** Does the type carry `kind` and `apiVersion` (also where it is nested, as in volumeClaimTemplates)? */
export const hasTypeMeta = (name: string): boolean => topLevelTypes.has(name) || metaRoots.has(name);

const metaRoots: ReadonlySet<string> = new Set(
  [...optionKinds, ...unversionedKinds, ...metaKinds, 'ApplyOptions', 'TableOptions']
    .filter((kind) => kind !== 'WatchEvent')
    .map((kind) => `meta.v1.${kind}`),
);

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

const parseStruct = (name: string, lines: readonly string[]): TypeInfo => ({
  is: 'struct',
  fields: lines.map(parseField),
  atomic: atomicTypes.has(name),
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
