import { isFieldSet } from '../apply/managed-fields.ts';
import { difference, isLeaf, pathSet } from '../apply/field-set.ts';
import { valueAt, withValue } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import { metadataOf, withMetadata } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';

/** Nobody's replicas stay so when they are changed through scale. Follows internal/skipnonapplied.go there. */
export const isOwned = (parent: KubernetesObject, path: readonly string[]): boolean =>
  ownersOf(parent, path).length > 0;

const ownersOf = (parent: KubernetesObject, path: readonly string[]) =>
  (metadataOf(parent).managedFields ?? []).filter(
    ({ fieldsV1 = null }) => valueAt(fieldsV1, ...path.map((field) => `f:${field}`)) !== undefined,
  );

/** A Scale of 0 replicas does not show them, so nobody owns them. */
export function disowned(parent: KubernetesObject, path: readonly string[]): KubernetesObject {
  const replicas = pathSet(path.map((field) => `f:${field}`));
  const managedFields = (metadataOf(parent).managedFields ?? []).flatMap((entry) => {
    const { fieldsV1 = null } = entry;
    const left = isFieldSet(fieldsV1) ? difference(fieldsV1, replicas) : {};
    return isLeaf(left) ? [] : [{ ...entry, fieldsV1: left }];
  });
  return withMetadata(parent, { managedFields });
}

/** Whoever owns the parent's replicas owns those of its Scale; mutating webhooks see that. Follows scalehandler.go ToSubresource. */
export function withManagers(
  scale: KubernetesObject,
  parent: KubernetesObject,
  path: readonly string[],
): KubernetesObject {
  const { apiVersion } = scale;
  const fieldsV1 = { 'f:spec': { 'f:replicas': {} } };
  const owners = ownersOf(parent, path).map((entry) => ({ ...entry, apiVersion, fieldsV1 }));
  return withMetadata(scale, { managedFields: owners.length === 0 ? undefined : owners });
}

/** Upstream loses the time of what was written through scale, and so sorts it before the others of its operation. */
export function timeless(parent: KubernetesObject): KubernetesObject {
  const entries = metadataOf(parent).managedFields ?? [];
  const isScale = ({ subresource }: JsonObject): boolean => subresource === 'scale';
  const rank = (entry: JsonObject): number => (entry['operation'] === 'Apply' ? 0 : 2) + (isScale(entry) ? 0 : 1);
  const managedFields = entries
    .map((entry) => (isScale(entry) ? withValue(entry, ['time'], undefined) : entry))
    .toSorted((a, b) => rank(a) - rank(b));
  return entries.length === 0 ? parent : withMetadata(parent, { managedFields });
}
