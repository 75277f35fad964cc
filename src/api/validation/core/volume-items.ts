import { invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asString, type JsonValue } from '../../../machinery/json/json.ts';
import { each, when, type Complaints } from '../field-rules.ts';
import { localDescendingPath } from './local-path.ts';
import type { KeyToPath } from '../../types/generated/core-v1.ts';

/** Follows kubernetes pkg/apis/core/validation validateKeyToPath. */
export const invalidMode = (field: string, mode: JsonValue | undefined): Complaints =>
  when(mode !== undefined && (Number(mode) < 0 || Number(mode) > 511), () =>
    invalidValue(field, mode ?? 0, 'must be a number between 0 and 0777 (octal), both inclusive'),
  );

/** Follows kubernetes pkg/apis/core/validation validateKeyToPath. */
export const keyToPathErrors = (items: readonly KeyToPath[] | null | undefined, path: string): Complaints =>
  each(items, path, keyToPath);

export const keyToPath = (item: KeyToPath, at: string): Complaints => [
  ...when(asString(item.key) === '', () => required(`${at}.key`, '')),
  ...fileName(`${at}.path`, asString(item.path)),
  ...invalidMode(`${at}.mode`, item.mode),
];

/** Follows kubernetes pkg/apis/core/validation validateLocalNonReservedPath. */
export function fileName(field: string, path: string): Complaints {
  if (path === '') return [required(field, '')];
  return [
    ...localDescendingPath(field, path),
    ...when(path.startsWith('..') && !path.startsWith('../../api/'), () =>
      invalidValue(field, path, "must not start with '..'"),
    ),
  ];
}
