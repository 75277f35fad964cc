import type { FieldsOf } from '../check/environment.ts';
import { dynType, stringType, unspecifiedType } from '../check/type.ts';

/**
 * `Object` and `Object.<path>` take any field; `JSONPatch` takes four, and its checker answers an unknown one with a
 * type that has no name. Follows apiserver pkg/cel/mutation.
 */
export function patchTypes(name: string): FieldsOf | undefined {
  if (name === 'Object' || name.startsWith('Object.')) return () => dynType;
  if (name !== 'JSONPatch') return undefined;
  return (field) => {
    if (field === 'value') return dynType;
    return ['op', 'path', 'from'].includes(field) ? stringType : unspecifiedType;
  };
}
