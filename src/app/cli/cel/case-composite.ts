import { asObject, asString } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { compileAdmission, createVariables } from '../../../cel/index.ts';
import type { AdmissionEnvironmentOptions, LazyVariables, Variables } from '../../../cel/index.ts';
import { dynType } from '../../../cel/vocabulary.ts';
import type { Type } from '../../../cel/vocabulary.ts';
import { evaluationOptions } from './answer.ts';

export interface Composite {
  /** Of the `variables`, by name. */
  readonly types: ReadonlyMap<string, Type>;
  readonly lazy: LazyVariables;
  /** `variables`, and what stood around them. */
  readonly lookup: Variables;
}

/** The `variables` of a case, a list of `name` and `expression`: each may use those before it. */
export function compositeOf(
  list: readonly JsonValue[],
  base: AdmissionEnvironmentOptions,
  outer: Variables,
): Composite {
  const types = new Map<string, Type>();
  const compiled = new Map<string, ReturnType<typeof compileAdmission>>();
  for (const { name, expression } of list.map(asObject)) {
    const compilation = compileAdmission(asString(expression), { ...base, variables: new Map(types) }, undefined);
    compiled.set(asString(name), compilation);
    types.set(asString(name), compilation.outcome === 'compiled' ? compilation.compiled.checked.type : dynType);
  }
  const lookup: Variables = (name) => (name === 'variables' ? lazy.value : outer(name));
  const lazy: LazyVariables = createVariables(compiled, lookup, evaluationOptions);
  return { types, lazy, lookup };
}
