import {
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  isJsonObject,
  setOwn,
  type DocumentObject,
  isDocumentObject,
} from '../json/json.ts';
import { type GroupVersionKind, parseApiVersion } from './gvk.ts';

/** Metadata that only the server writes. */
export const serverMetadata: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
  'ownerReferences',
]);

/**
 * An object that can be stored again: what `kubectl get -o yaml` prints says which server it came from, and that is no
 * part of it. Owners are known by the uids of that server; of an object that no server has seen they stay.
 */
export function withoutServerMetadata<Printed extends DocumentObject>(object: Printed): Printed {
  const metadata: JsonDocument | undefined = object['metadata'];
  if (!isDocumentObject(metadata)) return object;
  const isPrinted = metadata['uid'] !== undefined || metadata['resourceVersion'] !== undefined;
  const kept = Object.entries(metadata).filter(
    ([field]) => !serverMetadata.has(field) || (field === 'ownerReferences' && !isPrinted),
  );
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** An object with these fields in this order, each with what `made` returns for it; without those it returns undefined for. */
export function mapFields<V>(
  names: readonly string[],
  made: (name: string) => V | undefined,
): { readonly [field: string]: V } {
  const object: { [field: string]: V } = {};
  for (const name of names) {
    const value = made(name);
    if (value !== undefined) setOwn(object, name, value);
  }
  return object;
}

/** The value of a key that comes from outside: undefined for those that every object inherits, like `constructor`. */
export const ownValue = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Any API object, in the form in which Go's encoder prints it: non-omitempty zero values present, others absent. */
export interface KubernetesObject extends JsonObject {
  readonly kind: string;
  readonly apiVersion: string;
  /** Absent on options objects such as PodExecOptions and DeleteOptions. */
  readonly metadata?: ObjectMeta;
}

/** Upstream's ObjectMeta. Times are RFC 3339 strings. */
export type ObjectMeta = {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly selfLink?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
};

export type StringMap = { readonly [key: string]: string };

export type OwnerReference = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
};

export type ManagedFieldsEntry = {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: JsonObject;
  readonly subresource?: string;
};

const noMetadata: ObjectMeta = Object.freeze({});

/** The object's metadata; `{}` for a kind that has none. */
export const metadataOf = (object: KubernetesObject): ObjectMeta => object.metadata ?? noMetadata;

/** The fields of ObjectMeta in the order in which Go prints them. */
const metadataFields = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const satisfies readonly (keyof ObjectMeta)[];

/** A copy of the object with these metadata fields set; a field given as undefined is removed. Go's order is kept. */
export function withMetadata(
  object: KubernetesObject,
  fields: { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined },
): KubernetesObject {
  const merged = { ...object.metadata, ...fields };
  const metadata: Record<string, JsonValue> = {};
  for (const field of metadataFields) {
    const value = merged[field];
    if (value !== undefined) metadata[field] = value;
  }
  return { ...object, metadata };
}

/** A decoded body as a KubernetesObject; undefined unless kind and apiVersion are strings and metadata, if any, an object. */
export const asKubernetesObject = (value: JsonValue | undefined): KubernetesObject | undefined =>
  isKubernetesObject(value) ? value : undefined;

/** The fields of its metadata are the schema's to check. */
function isKubernetesObject(value: JsonValue | undefined): value is KubernetesObject {
  if (!isJsonObject(value)) return false;
  const { kind, apiVersion, metadata } = value;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') return false;
  return metadata === undefined || isJsonObject(metadata);
}

/** The kind, name and namespace in a document; '' where it has none. */
export interface DocumentHead {
  readonly kind: GroupVersionKind;
  readonly name: string;
  readonly namespace: string;
  readonly document: DocumentObject;
}

/** The head of a document with one object, or the error. */
export function documentHead(value: JsonDocument): DocumentHead | string {
  if (!isDocumentObject(value)) return 'an object is expected';
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string' || apiVersion === '') return 'apiVersion not set';
  if (typeof kind !== 'string' || kind === '') return 'kind not set';
  const { name, namespace } = isDocumentObject(value['metadata']) ? value['metadata'] : {};
  return {
    kind: { ...parseApiVersion(apiVersion), kind },
    name: typeof name === 'string' ? name : '',
    namespace: typeof namespace === 'string' ? namespace : '',
    document: value,
  };
}
