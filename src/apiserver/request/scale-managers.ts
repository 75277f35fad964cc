import { isFieldSet } from '../../api/apply/managed-fields.ts';
import { difference, isLeaf, createPathSet } from '../../api/apply/field-set.ts';
import { asObject, type JsonObject, valueAt, withValue } from '../../machinery/json/json.ts';
import {
  type KubernetesObject,
  type ManagedFieldsEntry,
  metadataOf,
  withMetadata,
} from '../../machinery/meta/object.ts';
import type { Status } from '../../machinery/meta/status.ts';

/** Follows internal/skipnonapplied.go there. */
export const isOwned = (parent: KubernetesObject, path: readonly string[]): boolean =>
  ownersOf(parent, path).length > 0;

const ownersOf = (parent: KubernetesObject, path: readonly string[]) =>
  entriesOf(parent).filter((entry) => owns(entry, path));

/** Of two entries of one owner the last one counts. Follows managedfields.go DecodeManagedFields there. */
const entriesOf = (parent: KubernetesObject): readonly ManagedFieldsEntry[] => [
  ...new Map((metadataOf(parent).managedFields ?? []).map((entry) => [ownerOf(entry), entry])).values(),
];

const ownerOf = ({ manager, operation, subresource, apiVersion }: ManagedFieldsEntry): string =>
  JSON.stringify([manager, operation, subresource, operation === 'Apply' ? '' : apiVersion]);

const owns = ({ fieldsV1 }: ManagedFieldsEntry, path: readonly string[]): boolean =>
  valueAt(fieldsV1 ?? null, ...path.map((field) => `f:${field}`)) !== undefined;

/** A Scale omits 0 replicas, so they have no owner. */
export function dropReplicasOwners(parent: KubernetesObject, path: readonly string[]): KubernetesObject {
  const replicas = createPathSet(path.map((field) => `f:${field}`));
  const managedFields = (metadataOf(parent).managedFields ?? []).flatMap((entry) => {
    const { fieldsV1 = null } = entry;
    const remaining = isFieldSet(fieldsV1) ? difference(fieldsV1, replicas) : {};
    return isLeaf(remaining) ? [] : [{ ...entry, fieldsV1: remaining }];
  });
  return withMetadata(parent, { managedFields });
}

/** The owner of the parent's replicas owns those of its Scale. Follows scalehandler.go ToSubresource. */
export function withScaleManagers(
  scale: KubernetesObject,
  parent: KubernetesObject,
  path: readonly string[],
): KubernetesObject {
  const { apiVersion } = scale;
  const fieldsV1 = { 'f:spec': { 'f:replicas': {} } };
  const owners = ownersOf(parent, path).map((entry) => ({ ...entry, apiVersion, fieldsV1 }));
  return withMetadata(scale, { managedFields: owners.length === 0 ? undefined : owners });
}

/** Drops managers that own nothing. Follows scalehandler.go ToParent. */
export function dropIdleManagers(parent: KubernetesObject): KubernetesObject {
  const entries = metadataOf(parent).managedFields ?? [];
  const owning = entries.filter(
    ({ subresource, fieldsV1 = null }) => subresource !== 'scale' || Object.keys(asObject(fieldsV1)).length > 0,
  );
  return owning.length === entries.length ? parent : withMetadata(parent, { managedFields: owning });
}

/**
 * Entries of scale lose their time. An Update of the parent's own version counts as another manager than the same one of the
 * Scale's version: the replicas that it still owns move to an entry of their own, without a time. Follows scalehandler.go
 * ToParent, managedfields.go BuildManagerIdentifier and sortEncodedManagedFields there.
 */
export function toParent(parent: KubernetesObject, path: readonly string[]): KubernetesObject {
  const entries = entriesOf(parent);
  const rank = (entry: JsonObject): number =>
    (entry['operation'] === 'Apply' ? 0 : 2) + (entry['time'] === undefined ? 0 : 1);
  const managedFields = entries
    .flatMap((entry) => (entry.operation === 'Apply' ? [entry] : withoutReplicas(entry, path)))
    .map((entry) => (entry.subresource === 'scale' ? withValue(entry, ['time'], undefined) : entry))
    .toSorted((a, b) => rank(a) - rank(b));
  return entries.length === 0 ? parent : withMetadata(parent, { managedFields });
}

function withoutReplicas(entry: ManagedFieldsEntry, path: readonly string[]): readonly ManagedFieldsEntry[] {
  const { fieldsV1 = null, time: _time, ...owner } = entry;
  if (!isFieldSet(fieldsV1) || !owns(entry, path)) return [entry];
  const replicas = createPathSet(path.map((field) => `f:${field}`));
  const remaining = difference(fieldsV1, replicas);
  return [...(isLeaf(remaining) ? [] : [{ ...entry, fieldsV1: remaining }]), { ...owner, fieldsV1: replicas }];
}

/**
 * The first apply of a Scale moves unowned replicas to before-first-apply. Follows lastappliedupdater.go,
 * skipnonapplied.go there.
 */
export function addBeforeFirstApply(parent: KubernetesObject, path: readonly string[]): KubernetesObject {
  const entries = metadataOf(parent).managedFields ?? [];
  // A Scale omits 0 replicas.
  if (isOwned(parent, path) || entries.length === 0 || !valueAt(parent, ...path)) return parent;
  const before = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion: parent.apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: { ...createPathSet(path.map((field) => `f:${field}`)) },
    subresource: 'scale',
  };
  return withMetadata(parent, { managedFields: [...entries, before] });
}

/** The conflict's owners are those of the Scale's version. */
export function renameConflictVersion(status: Status, parentVersion: string, scaleVersion: string): Status {
  const renamed = (text: string): string => text.replaceAll(` using ${parentVersion}`, ` using ${scaleVersion}`);
  const causes = status.details?.causes?.map((cause) => ({ ...cause, message: renamed(cause.message ?? '') }));
  const { details, message } = status;
  return {
    ...status,
    ...(message === undefined ? {} : { message: renamed(message) }),
    ...(details && causes ? { details: { ...details, causes } } : {}),
  };
}
