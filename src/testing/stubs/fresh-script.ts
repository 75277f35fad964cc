import type { ReviewFunction } from './webhook-spec.ts';

const factories = new WeakMap<ReviewFunction, () => ReviewFunction>();

/** Remembers how another instance of a script is made. */
export function rememberFactory(script: ReviewFunction, another: () => ReviewFunction): ReviewFunction {
  factories.set(script, another);
  return script;
}

/** The same script with module variables of its own; a function that comes from no file stays the same. */
export const freshScript = (script: ReviewFunction): ReviewFunction => factories.get(script)?.() ?? script;
