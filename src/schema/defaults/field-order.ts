import { hasTypeMeta, typeInfo } from '../builtin-types.ts';

/** A struct as schema/builtin-types.ts names it: `core.v1.PodSpec`. */
export type StructName = `${string}.v1.${string}` | `${string}.v2.${string}`;

/** The JSON names of a struct's fields in the order in which Go prints them. */
export function fieldOrder(name: StructName): readonly string[] {
  return hasTypeMeta(name) ? ['kind', 'apiVersion', ...fieldNames(name)] : fieldNames(name);
}

function fieldNames(name: string): readonly string[] {
  const info = typeInfo(name);
  if (info?.is !== 'struct') throw new Error(`no struct ${name} in schema/builtin`);
  return info.fields.flatMap((field) =>
    field.name === '' && field.type.type === 'named' ? fieldNames(field.type.name) : [field.name],
  );
}
