import { type BuiltinTypes, flattenFields, typeMetaFields } from '../../api/types/builtin-types.ts';
import { type Field, formatGoType, type TypeInfo, type TypeRef } from '../../api/types/type-info.ts';
import type { CompletionItem } from './protocol.ts';
import type { SchemaFields } from './schema-fields.ts';

/** What the type tables of a release say about a place in an object; undefined for an unknown kind. */
export function kindFields(
  types: BuiltinTypes,
  head: { readonly apiVersion: string; readonly kind: string },
  path: readonly string[],
): SchemaFields | undefined {
  const root = types.typeOfObject(head);
  if (root === undefined) return undefined;
  const type = path.reduce<TypeRef | undefined>((at, key) => (at === undefined ? undefined : childOf(types, at, key)), {
    type: 'named',
    name: root,
  });
  if (type === undefined) return { fields: [], values: [] };
  return { fields: fieldsOf(types, type).map((field) => toItem(types, field)), values: valuesOf(types, type) };
}

/** The versions; or the kinds of an apiVersion, and all kinds for an unknown one. */
export function headValues(
  types: BuiltinTypes,
  custom: readonly GroupedKind[],
  { key, apiVersion }: { readonly key: keyof GroupedKind; readonly apiVersion: string },
): readonly CompletionItem[] {
  const builtin = [...types.kinds.keys()].map((path) => ({
    apiVersion: path.slice(0, path.lastIndexOf('/')),
    kind: path.slice(path.lastIndexOf('/') + 1),
  }));
  const all = [...custom, ...builtin];
  const own = all.filter((one) => one.apiVersion === apiVersion);
  const labels = (key === 'kind' && own.length > 0 ? own : all).map((one) => one[key]);
  return [...new Set(labels)]
    .filter((label) => !label.endsWith('List'))
    .toSorted()
    .map((label) => ({ label, kind: 'value', type: key, description: '', isRequired: false }));
}

interface GroupedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

const resolved = (
  types: BuiltinTypes,
  type: TypeRef,
): { readonly ref: TypeRef; readonly info: TypeInfo | undefined } => {
  const info = type.type === 'named' ? types.typeInfo(type.name) : undefined;
  return info?.is === 'alias' && info.values.length === 0 ? resolved(types, info.of) : { ref: type, info };
};

function childOf(types: BuiltinTypes, type: TypeRef, key: string): TypeRef | undefined {
  const { ref } = resolved(types, type);
  if (ref.type === 'list') return key === '[]' ? ref.of : undefined;
  if (ref.type === 'map') return ref.of;
  return fieldsOf(types, ref).find(({ name }) => name === key)?.type;
}

function fieldsOf(types: BuiltinTypes, type: TypeRef): readonly Field[] {
  const { ref } = resolved(types, type);
  if (ref.type !== 'named') return [];
  const own = flattenFields(types, ref.name);
  const names = new Set(own.map(({ name }) => name));
  const meta = types.hasTypeMeta(ref.name) ? typeMetaFields.filter(({ name }) => !names.has(name)) : [];
  return [...meta.toReversed(), ...own];
}

function valuesOf(types: BuiltinTypes, type: TypeRef): readonly CompletionItem[] {
  const { ref, info } = resolved(types, type);
  const words =
    info?.is === 'alias' ? info.values : ref.type === 'scalar' && ref.scalar === 'bool' ? ['true', 'false'] : [];
  return words.map((label) => ({ label, kind: 'value', type: formatGoType(type), description: '', isRequired: false }));
}

const toItem = (types: BuiltinTypes, { name, type, required, default: standard }: Field): CompletionItem => ({
  label: name,
  kind: 'field',
  type: formatGoType(type),
  description: [...(standard === undefined ? [] : [`Default: ${standard}`]), ...enumText(types, type)].join('\n'),
  isRequired: required,
});

function enumText(types: BuiltinTypes, type: TypeRef): readonly string[] {
  const { info } = resolved(types, type.type === 'list' ? type.of : type);
  return info?.is === 'alias' && info.values.length > 0 ? [`One of ${info.values.join(', ')}`] : [];
}
