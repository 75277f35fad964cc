import type { CelResult, Value } from '../value/value.ts';

/**
 * What a function does with its arguments, the receiver first; a function of fewer arguments ignores the rest.
 * It checks the types itself and returns `no such overload` for those it does not take.
 */
export type CelOperation = (a: Value, b: Value, c: Value, d: Value) => CelResult;

export type CelOperations = ReadonlyMap<string, CelOperation>;
