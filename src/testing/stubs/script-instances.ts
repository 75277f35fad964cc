import type { ReviewFunction } from './webhook-spec.ts';

/** How to load a script again; its functions have no room for it. */
const factories = new WeakMap<ReviewFunction, () => ReviewFunction>();

export function rememberFactory(script: ReviewFunction, another: () => ReviewFunction): ReviewFunction {
  factories.set(script, another);
  return script;
}

/** With module variables of its own; a function without a file stays the same. */
export const freshScript = (script: ReviewFunction): ReviewFunction => factories.get(script)?.() ?? script;
