import { parseApiVersion } from '../apimachinery/gvk.ts';
import type { GroupVersionKind } from '../apimachinery/gvk.ts';
import type { JsonValue } from '../apimachinery/json.ts';
import { asKubernetesObject } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { typeOfKind } from '../schema/builtin-types.ts';
import type { Codec } from '../schema/codec.ts';
import type { Versions } from './prune.ts';
import { resetFieldsOf } from './reset-fields.ts';
import type { Change } from './update-managers.ts';
import { builtinValueType } from './value-type.ts';
import type { ValueType } from './value-type.ts';

/** What a field manager knows of the kinds it serves. */
export interface FieldKinds {
  readonly codec: Codec;
  readonly typeOf: (kind: GroupVersionKind) => ValueType | undefined;
  /** What Go prints for an object of this kind in which nothing is set. */
  readonly emptyObject: (kind: Pick<KubernetesObject, 'apiVersion' | 'kind'>) => KubernetesObject;
}

/** The kinds of a codec; `customTypeOf` knows the types of custom resources. */
export function createFieldKinds(
  codec: Codec,
  customTypeOf: (kind: GroupVersionKind) => ValueType | undefined,
): FieldKinds {
  const empty = new Map<string, KubernetesObject>();
  return {
    codec,
    typeOf: (kind) => {
      const name = typeOfKind(kind);
      return name === undefined ? customTypeOf(kind) : builtinValueType(name);
    },
    emptyObject: ({ apiVersion, kind }) => {
      const key = `${apiVersion}/${kind}`;
      const made = empty.get(key) ?? emptyObject(codec, apiVersion, kind);
      empty.set(key, made);
      return made;
    },
  };
}

function emptyObject(codec: Codec, apiVersion: string, kind: string): KubernetesObject {
  const decoded = codec.decodeValue({ apiVersion, kind }, { ...parseApiVersion(apiVersion), kind });
  return decoded.outcome === 'decoded' ? decoded.object : { apiVersion, kind };
}

interface States {
  /** Both without managedFields, in the version of `after`. */
  readonly before: KubernetesObject;
  readonly after: KubernetesObject;
  readonly subresource: string;
}

/** The change from one state of an object to another; undefined for a kind nobody knows the type of. */
export function changeOf(kinds: FieldKinds, { before, after, subresource }: States): Change | undefined {
  const { apiVersion } = after;
  const kind = { ...parseApiVersion(apiVersion), kind: after.kind };
  const type = kinds.typeOf(kind);
  if (!type) return undefined;
  const inVersion = (wanted: string): Change | undefined => {
    const target = { ...parseApiVersion(wanted), kind: after.kind };
    const [first, second] = [kinds.codec.convert(before, target), kinds.codec.convert(after, target)];
    if (first.outcome !== 'converted' || second.outcome !== 'converted') return undefined;
    return changeOf(kinds, { before: first.object, after: second.object, subresource });
  };
  return { apiVersion, type, before, after, reset: resetFieldsOf(kind, subresource), inVersion };
}

/** The versions of one kind. */
export const versionsOf = ({ codec, typeOf }: FieldKinds, kind: string): Versions => ({
  typeIn: (apiVersion) => typeOf({ ...parseApiVersion(apiVersion), kind }),
  convert: (value: JsonValue, apiVersion) => {
    const object = asKubernetesObject(value);
    if (!object || object.apiVersion === apiVersion) return value;
    const converted = codec.convert(object, { ...parseApiVersion(apiVersion), kind });
    return converted.outcome === 'converted' ? converted.object : undefined;
  },
});
