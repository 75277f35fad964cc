import type { JsonValue } from '../../apimachinery/json.ts';
import { storedVersion } from '../admission/admission-environment.ts';
import { createEnvironment } from '../check/environment.ts';
import { dynType } from '../check/type.ts';
import { compile } from '../run/compile.ts';
import { evaluate } from '../run/evaluate.ts';
import { boundedJson } from '../value/value-json.ts';

export type SelfCompilation =
  /** `ask`: the value for this object, [] where evaluation fails. */
  | { readonly outcome: 'compiled'; readonly ask: (self: JsonValue) => readonly JsonValue[] }
  | { readonly outcome: 'wrong'; readonly error: string };

const costLimit = 1_000_000;

/** An expression over `self`, an object of any type. */
export function compileOverSelf(expression: string): SelfCompilation {
  const environment = createEnvironment({ version: storedVersion, variables: new Map([['self', dynType]]) });
  const compilation = compile(expression, environment);
  if (compilation.outcome === 'failed') return { outcome: 'wrong', error: compilation.error };
  const { compiled } = compilation;
  return {
    outcome: 'compiled',
    ask: (self) => {
      const evaluation = evaluate(compiled, (name) => (name === 'self' ? self : undefined), { costLimit });
      const json = evaluation.outcome === 'error' ? undefined : boundedJson(evaluation.value);
      return json === undefined ? [] : [json];
    },
  };
}
