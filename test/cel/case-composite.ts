import { asObject, asString } from '../../src/apimachinery/json.ts';
import type { JsonValue } from '../../src/apimachinery/json.ts';
import type { AdmissionEnvironmentOptions } from '../../src/cel/admission-environment.ts';
import { compileAdmission } from '../../src/cel/condition.ts';
import { createVariables } from '../../src/cel/lazy-variables.ts';
import type { LazyVariables } from '../../src/cel/lazy-variables.ts';
import type { Variables } from '../../src/cel/evaluate.ts';
import { dynType } from '../../src/cel/type.ts';
import type { Type } from '../../src/cel/type.ts';

/** The `variables` of a case: each may use those before it. */
export interface Composite {
  readonly types: ReadonlyMap<string, Type>;
  readonly lazy: LazyVariables;
  readonly start: (variables: Variables) => void;
}

export function compositeOf(list: readonly JsonValue[], base: AdmissionEnvironmentOptions): Composite {
  const types = new Map<string, Type>();
  const compiled = new Map<string, ReturnType<typeof compileAdmission>>();
  for (const { name, expression } of list.map(asObject)) {
    const options = { ...base, variables: new Map(types) };
    const compilation = compileAdmission(asString(expression), options, undefined);
    compiled.set(asString(name), compilation);
    types.set(asString(name), compilation.outcome === 'compiled' ? compilation.compiled.checked.type : dynType);
  }
  let outer: Variables = () => undefined;
  const lazy: LazyVariables = createVariables(compiled, (name) => outer(name), { costLimit: 1_000_000 });
  return {
    types,
    lazy,
    start: (variables) => {
      outer = variables;
    },
  };
}
