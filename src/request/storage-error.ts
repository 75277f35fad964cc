import { builtInFolder, customFolder } from '../store/resource-folder.ts';
import type { StoreKey } from '../store/storage.ts';

/** A precondition of a write, and what it met. */
export interface FailedPrecondition {
  readonly field: 'UID' | 'ResourceVersion';
  readonly wanted: string;
  readonly is: string;
}

/** What is written: a custom resource has another key, and a dry run does not come to where keys get what all begin with. */
interface Write {
  readonly isCustom: boolean;
  readonly dryRun: boolean;
}

/**
 * The storage's own words, which a conflict over preconditions repeats. Follows apiserver pkg/storage/errors.go and interfaces.go,
 * pkg/registry/generic/registry/dryrun.go, pkg/api/errors/storage InterpretUpdateError.
 */
export function failedStoragePrecondition(
  { resource, namespace, name }: StoreKey,
  { field, wanted, is }: FailedPrecondition,
  { isCustom, dryRun }: Write,
): string {
  const folder = isCustom ? customFolder(resource) : builtInFolder(resource.resource);
  const key = [folder, ...(namespace === '' ? [] : [namespace]), name].join('/');
  const text = `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${is}`;
  return `StorageError: invalid object, Code: 4, Key: ${dryRun ? '' : '/registry'}/${key}, ResourceVersion: 0, AdditionalErrorMsg: ${text}`;
}
