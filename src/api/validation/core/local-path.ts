import { invalidValue } from '../../../machinery/meta/field-error.ts';
import { when, type Complaints } from '../field-rules.ts';

/** Follows kubernetes pkg/apis/core/validation validateLocalDescendingPath. */
export const localDescendingPath = (field: string, path: string): Complaints => [
  ...when(path.startsWith('/'), () => invalidValue(field, path, 'must be a relative path')),
  ...noBacksteps(field, path),
];

/** Follows kubernetes pkg/apis/core/validation validatePathNoBacksteps. */
export const noBacksteps = (field: string, path: string): Complaints =>
  when(path.split('/').includes('..'), () => invalidValue(field, path, "must not contain '..'"));
