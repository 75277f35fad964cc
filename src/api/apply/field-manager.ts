import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { isJsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { Result } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import type { Codec } from '../codec/codec.ts';
import { applyConfiguration, type Configuration } from './apply-configuration.ts';
import {
  createManagedChange,
  createFieldKinds,
  type CustomKind,
  type FieldKinds,
  createVersions,
} from './field-kinds.ts';
import {
  decodeManagers,
  type Managers,
  noManagers,
  reconcileManagers,
  setManagers,
  dropManagers,
} from './managed-fields.ts';
import { updateManagers } from './update-managers.ts';

export interface FieldManager {
  readonly update: (write: FieldWrite) => Promise<KubernetesObject>;
  /** The applied object, decoded and defaulted. One that changes nothing is the stored object with new managers. */
  readonly apply: (configuration: Configuration) => Promise<Result<KubernetesObject>>;
}

export interface FieldWrite extends Pick<Configuration, 'live' | 'manager' | 'subresource' | 'now'> {
  readonly object: KubernetesObject;
}

/** Follows apimachinery pkg/util/managedfields/internal/fieldmanager.go. */
export function createFieldManager(
  codec: Codec,
  findCustom: (kind: GroupVersionKind) => CustomKind | undefined = () => undefined,
): FieldManager {
  const kinds = createFieldKinds(codec, findCustom);
  return {
    update: (write) => update(kinds, write),
    apply: (configuration) => applyConfiguration(kinds, configuration),
  };
}

async function update(kinds: FieldKinds, write: FieldWrite): Promise<KubernetesObject> {
  const { live, object, manager, subresource, now } = write;
  const { apiVersion } = object;
  const isUntracked = live === null && metadataOf(object).managedFields === undefined;
  const managers = isUntracked ? noManagers : decodeReconciled(kinds, write);
  const bare = dropManagers(object);
  // An untracked object stays untracked until the first apply.
  if (managers.size === 0 && live !== null) return bare;
  const before = live ? dropManagers(live) : kinds.find(apiVersion, object.kind).emptyObject;
  const change = createManagedChange(kinds, { before, after: kinds.codec.printed(bare), subresource });
  if (!change) return keepStoredManagers(kinds, bare, live);
  const time = formatTime(now);
  const updated = await updateManagers(change, managers, { manager, apiVersion, subresource, time });
  if ('mistyped' in updated || change.typeError() !== undefined) return keepStoredManagers(kinds, bare, live);
  return setManagers(bare, updated);
}

/** Those of the stored object stay, before 1.37 none. Follows fieldmanager.go UpdateNoErrors. */
function keepStoredManagers(
  { codec }: FieldKinds,
  bare: KubernetesObject,
  live: KubernetesObject | null,
): KubernetesObject {
  const managedFields = live?.metadata?.managedFields;
  return codec.types.minor < 37 || managedFields === undefined ? bare : withMetadata(bare, { managedFields });
}

const decodeReconciled = (kinds: FieldKinds, write: FieldWrite): Managers =>
  reconcileManagers(decodeLiveOrNew(write), createVersions(kinds, write.object.kind).typeIn);

/**
 * The managers sent by the client if valid, else those of the stored object. Follows fieldmanager.go decodeLiveOrNew.
 */
function decodeLiveOrNew({ live, object, subresource }: FieldWrite): Managers {
  const sent = subresource === '' ? metadataOf(object).managedFields : undefined;
  if (sent === undefined) return decodeStored(live);
  if (isReset(sent)) return noManagers;
  const managers = decodeManagers(sent) ?? noManagers;
  return managers.size > 0 ? managers : decodeStored(live);
}

const decodeStored = (live: KubernetesObject | null): Managers =>
  decodeManagers(live?.metadata?.managedFields ?? []) ?? noManagers;

/** An empty list, or one with one empty entry, clears all managers. */
function isReset(entries: readonly JsonValue[]): boolean {
  const [only] = entries;
  return entries.length === 0 || (entries.length === 1 && isJsonObject(only) && Object.keys(only).length === 0);
}
