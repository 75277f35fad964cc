// The types and values of expressions, without the engine: may be imported statically, since it loads quickly.
export {
  boolType,
  bytesType,
  doubleType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
  typeText,
} from './check/type.ts';
export type { Type } from './check/type.ts';
export { escapedNames } from './crd/rule-scope.ts';
export { outOfBudget } from './run/frame.ts';
export { CelError, box } from './value/value.ts';
export type { CelResult, Value } from './value/value.ts';
