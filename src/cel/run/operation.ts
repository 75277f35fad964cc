import type { Result, Value } from '../value/value.ts';

/**
 * What a function does with its arguments, the receiver first; a function of fewer arguments ignores the rest.
 * It checks the types itself and returns `no such overload` for those it does not take.
 */
export type Operation = (a: Value, b: Value, c: Value, d: Value) => Result;

export type Operations = ReadonlyMap<string, Operation>;
