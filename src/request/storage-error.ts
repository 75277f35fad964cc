import { builtInFolder, customFolder } from '../store/resource-folder.ts';
import type { StoreKey } from '../store/storage.ts';

/** A precondition of a write, and what it met. */
export interface FailedPrecondition {
  readonly field: 'UID' | 'ResourceVersion';
  readonly wanted: string;
  readonly is: string;
}

/**
 * The storage's own words, which a conflict over preconditions repeats; `isCustom` for a custom resource. Follows apiserver
 * pkg/storage/errors.go and interfaces.go, pkg/api/errors/storage InterpretUpdateError.
 */
export function failedStoragePrecondition(
  { resource, namespace, name }: StoreKey,
  { field, wanted, is }: FailedPrecondition,
  isCustom = false,
): string {
  const folder = isCustom ? customFolder(resource) : builtInFolder(resource.resource);
  const key = [folder, ...(namespace === '' ? [] : [namespace]), name].join('/');
  const text = `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${is}`;
  return `StorageError: invalid object, Code: 4, Key: /registry/${key}, ResourceVersion: 0, AdditionalErrorMsg: ${text}`;
}
