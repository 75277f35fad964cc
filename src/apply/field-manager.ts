import { apiVersionOf, parseApiVersion } from '../apimachinery/gvk.ts';
import type { GroupVersionKind } from '../apimachinery/gvk.ts';
import { isJsonObject } from '../apimachinery/json.ts';
import type { JsonValue } from '../apimachinery/json.ts';
import { metadataOf, withMetadata } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { formatTime } from '../apimachinery/time.ts';
import { typeOfKind } from '../schema/builtin-types.ts';
import type { Codec } from '../schema/codec.ts';
import { decodeManagers, encodeManagers } from './managed-fields.ts';
import type { Managers } from './managed-fields.ts';
import { resetFieldsOf } from './reset-fields.ts';
import { updateManagers } from './update-managers.ts';
import type { Change } from './update-managers.ts';
import { builtinValueType } from './value-type.ts';
import type { ValueType } from './value-type.ts';

/** Keeps metadata.managedFields: who owns which fields. */
export interface FieldManager {
  /** The object of a create, update or patch, with its managers after the write. */
  readonly update: (write: FieldWrite) => KubernetesObject;
}

export interface FieldWrite {
  /** The stored object in the version of the request; null for a create. */
  readonly live: KubernetesObject | null;
  readonly object: KubernetesObject;
  readonly manager: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * A field manager for the kinds of a codec. `typeOf` knows the types of custom resources.
 * Follows apimachinery pkg/util/managedfields/internal/fieldmanager.go.
 */
export function createFieldManager(
  codec: Codec,
  typeOf: (kind: GroupVersionKind) => ValueType | undefined = () => undefined,
): FieldManager {
  const empty = new Map<string, KubernetesObject>();
  const kinds: Kinds = {
    codec,
    typeOf: (kind) => {
      const name = typeOfKind(kind);
      return name === undefined ? typeOf(kind) : builtinValueType(name);
    },
    emptyObject: (object) => {
      const key = `${object.apiVersion}/${object.kind}`;
      const made = empty.get(key) ?? emptyObject(codec, object);
      empty.set(key, made);
      return made;
    },
  };
  return { update: (write) => update(kinds, write) };
}

interface Kinds {
  readonly codec: Codec;
  readonly typeOf: (kind: GroupVersionKind) => ValueType | undefined;
  readonly emptyObject: (object: KubernetesObject) => KubernetesObject;
}

/** What Go prints for an object of this kind in which nothing is set. */
function emptyObject(codec: Codec, { apiVersion, kind }: KubernetesObject): KubernetesObject {
  const decoded = codec.decodeValue({ apiVersion, kind }, { ...parseApiVersion(apiVersion), kind });
  return decoded.outcome === 'decoded' ? decoded.object : { apiVersion, kind };
}

function update(kinds: Kinds, { live, object, manager, subresource, now }: FieldWrite): KubernetesObject {
  const { apiVersion } = object;
  const managers = managersOf(live, object, subresource);
  const bare = withoutManagers(object);
  // An object whose managers were never tracked, or were cleared, stays so until somebody applies.
  if (managers.size === 0 && live !== null) return bare;
  const change = changeOf(
    kinds,
    { before: live ? withoutManagers(live) : kinds.emptyObject(object), after: bare },
    subresource,
  );
  if (!change) return bare;
  const time = formatTime(now);
  return withManagers(bare, updateManagers(change, managers, { manager, apiVersion, subresource, time }));
}

/**
 * The managers to start from: those in the object if the client sent valid ones, otherwise those of the stored object.
 * Follows fieldmanager.go decodeLiveOrNew.
 */
function managersOf(live: KubernetesObject | null, object: KubernetesObject, subresource: string): Managers {
  const stored = live ? (metadataOf(live).managedFields ?? []) : [];
  const sent = metadataOf(object).managedFields ?? [];
  if (subresource !== '' || sent === stored) return decodeManagers(stored) ?? noManagers;
  if (isReset(sent)) return noManagers;
  const managers = decodeManagers(sent);
  return managers && managers.size > 0 ? managers : (decodeManagers(stored) ?? noManagers);
}

const noManagers: Managers = new Map();

/** A list with one empty entry clears all. */
function isReset(entries: readonly JsonValue[]): boolean {
  const [only] = entries;
  return (
    entries.length === 1 &&
    isJsonObject(only) &&
    Object.values(only).every((value) => value === '' || value === undefined)
  );
}

const withoutManagers = (object: KubernetesObject): KubernetesObject =>
  object.metadata?.managedFields === undefined ? object : withMetadata(object, { managedFields: undefined });

const withManagers = (object: KubernetesObject, managers: Managers): KubernetesObject =>
  withMetadata(object, { managedFields: encodeManagers(managers) });

/** undefined for a kind nobody knows the type of. */
function changeOf(
  kinds: Kinds,
  { before, after }: { readonly before: KubernetesObject; readonly after: KubernetesObject },
  subresource: string,
): Change | undefined {
  const { apiVersion } = after;
  const kind = { ...parseApiVersion(apiVersion), kind: after.kind };
  const type = kinds.typeOf(kind);
  if (!type) return undefined;
  const inVersion = (wanted: string): Change | undefined => {
    const target = { ...parseApiVersion(wanted), kind: after.kind };
    const [first, second] = [kinds.codec.convert(before, target), kinds.codec.convert(after, target)];
    if (first.outcome !== 'converted' || second.outcome !== 'converted') return undefined;
    return changeOf(kinds, { before: first.object, after: second.object }, subresource);
  };
  return { apiVersion: apiVersionOf(kind), type, before, after, reset: resetFieldsOf(kind, subresource), inVersion };
}
