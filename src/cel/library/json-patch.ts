import type { CelOperation } from '../run/frame.ts';
import { noSuchOverload } from '../value/value.ts';

/** A key as one step of a JSON pointer. Follows apiserver pkg/cel/library/jsonpatch.go. */
const escapeKey: CelOperation = (key) =>
  typeof key === 'string' ? key.replaceAll('~', '~0').replaceAll('/', '~1') : noSuchOverload;

export const jsonPatchOperations: readonly (readonly [string, CelOperation])[] = [['jsonpatch.escapeKey', escapeKey]];
