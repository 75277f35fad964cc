import type { ObjectMeta } from '../../machinery/meta/object.ts';
import { type GroupResource, groupResourceText } from '../../machinery/meta/gvk.ts';
import { conflict, failure, type Status } from '../../machinery/meta/status.ts';
import { isCustomRow } from '../custom-resources/custom-codec.ts';
import { builtInFolder, customFolder, type StoreKey } from '../storage/storage.ts';
import type { DecodedDeleteOptions } from './delete-options.ts';
import type { RequestTarget } from './exchange.ts';

export interface FailedPrecondition {
  readonly field: 'UID' | 'ResourceVersion';
  readonly expected: string;
  readonly actual: string;
}

/** Custom resources have another etcd key; a dry run omits the prefix. */
interface Write {
  readonly isCustom: boolean;
  readonly dryRun: boolean;
}

/**
 * Upstream's text of a failed precondition. Follows apiserver pkg/storage/errors.go and interfaces.go,
 * pkg/registry/generic/registry/dryrun.go, pkg/api/errors/storage InterpretUpdateError.
 */
export function failedStoragePrecondition(
  key: StoreKey,
  failed: FailedPrecondition,
  { isCustom, dryRun }: Write,
): string {
  const path = `${dryRun ? '' : '/registry'}/${etcdKey(key, isCustom)}`;
  return storageError('invalid object, Code: 4', path, failedPreconditionText(failed));
}

export const failedPreconditionText = ({ field, expected, actual }: FailedPrecondition): string =>
  `Precondition failed: ${field} in precondition: ${expected}, ${field} in object meta: ${actual}`;

/** The object can be decoded: an unsafe deletion is refused. Follows apiserver pkg/storage/etcd3/store.go getState. */
export const decodableText = (key: StoreKey, isCustom: boolean): string =>
  storageError(
    'invalid object, Code: 4',
    `/registry/${etcdKey(key, isCustom)}`,
    'unsafe deletion is not allowed because the object is decodable from storage',
  );

/** Follows apiserver pkg/storage/etcd3/corrupt_obj_deleter.go, whose keys have no prefix. */
export const corruptObjectText = (key: StoreKey, isCustom: boolean, error: string): string =>
  storageError('corrupt object, Code: 7', `/${etcdKey(key, isCustom)}`, error);

/** Errors of a list of which objects cannot be decoded. */
export const maxCorrupt = 100;

/** Each error is one of `corruptItem`. Follows apiserver pkg/storage/etcd3/corrupt_obj_deleter.go NewAPIStatusError. */
export function unreadableList(resource: GroupResource, items: readonly CorruptItem[]): Status {
  const [first] = items;
  const more = items.length > 1 ? ` (and ${items.length - 1} more)` : '';
  const tooMany = { reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' };
  return failure({
    code: 500,
    reason: 'StorageReadError',
    message: `failed to read one or more ${groupResourceText(resource)} from the storage: ${first?.message ?? ''}${more}`,
    details: {
      name: 'list',
      group: resource.group,
      kind: resource.resource,
      causes: [
        ...items.map(({ key, message }) => ({ reason: 'UnexpectedServerResponse', message, field: key })),
        ...(items.length < maxCorrupt ? [] : [tooMany]),
      ],
    },
  });
}

export interface CorruptItem {
  readonly key: string;
  readonly message: string;
}

/** Keys of lists have the prefix of etcd. */
export function corruptItem(key: StoreKey, isCustom: boolean, error: string): CorruptItem {
  const path = `/registry/${etcdKey(key, isCustom)}`;
  return { key: path, message: storageError('corrupt object, Code: 7', path, error) };
}

const storageError = (kind: string, key: string, text: string): string =>
  `StorageError: ${kind}, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${text}`;

function etcdKey({ resource, namespace, name }: StoreKey, isCustom: boolean): string {
  const folder = isCustom ? customFolder(resource) : builtInFolder(resource.resource);
  return [folder, ...(namespace === '' ? [] : [namespace]), name].join('/');
}

/** undefined when all preconditions match. Follows apiserver pkg/storage/interfaces.go Preconditions.Check. */
export function storagePreconditionFailure(
  { resource, info }: RequestTarget,
  stored: ObjectMeta,
  { uid, resourceVersion }: NonNullable<DecodedDeleteOptions['preconditions']>,
  { name, dryRun }: { readonly name: string; readonly dryRun: boolean },
): Status | undefined {
  const key = { resource, namespace: resource.namespaced ? info.namespace : '', name };
  const write = { isCustom: isCustomRow(resource), dryRun };
  const refusal = (failed: FailedPrecondition): Status =>
    conflict(resource, name, failedStoragePrecondition(key, failed, write));
  const { uid: storedUid = '', resourceVersion: storedVersion = '' } = stored;
  if (uid !== undefined && uid !== storedUid) return refusal({ field: 'UID', expected: uid, actual: storedUid });
  if (resourceVersion === undefined || resourceVersion === storedVersion) return undefined;
  return refusal({ field: 'ResourceVersion', expected: resourceVersion, actual: storedVersion });
}
