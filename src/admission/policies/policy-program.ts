import type { Compilation } from '../../cel/index.ts';
import { dynType } from '../../cel/vocabulary.ts';
import type { Type } from '../../cel/vocabulary.ts';
import type { Steps } from '../../apimachinery/pause.ts';
import type { Expressions } from '../matching/expressions.ts';
import { inPace } from '../matching/pace.ts';
import type { Pace } from '../matching/pace.ts';
import type { Policy } from './policy.ts';

/** The expressions of one policy, each compiled when it is first needed, and kept with the policy. */
export interface PolicyProgram {
  /** Declares its `variables` one by one, where that has not been done. */
  readonly prepare: () => Steps<void>;
  /** Its `variables`, in order; each may use those before it. */
  readonly variables: () => ReadonlyMap<string, Compilation>;
  readonly compile: (text: string, use: ExpressionUse) => Compilation;
}

/** Where an expression stands, which decides what it may name and come to. */
export type ExpressionUse = 'condition' | 'validation' | 'message' | 'annotation' | Mutating;
type Mutating = 'ApplyConfiguration' | 'JSONPatch';

const returns: Readonly<Record<ExpressionUse, readonly string[]>> = {
  condition: ['bool'],
  validation: ['bool'],
  message: ['string'],
  annotation: ['string', 'null_type'],
  ApplyConfiguration: ['Object'],
  JSONPatch: ['list(JSONPatch)'],
};

/** Follows apiserver pkg/admission/plugin/policy/validating/plugin.go compilePolicy and mutating/compilation.go. */
export function createPolicyPrograms(
  expressions: Pick<Expressions, 'compile'>,
  pace: Pick<Pace, 'owe' | 'now'>,
): (policy: Policy) => PolicyProgram {
  const compile: Expressions['compile'] = (text, environment, returns) => {
    pace.owe(text.length * costOfCharacter);
    return expressions.compile(text, environment, returns);
  };
  const programs = new WeakMap<Policy, PolicyProgram>();
  return (policy) => {
    const known = programs.get(policy);
    if (known) return known;
    const program = programOf(policy, compile, pace);
    programs.set(policy, program);
    return program;
  };
}

/** In units of evaluation: to compile a character takes about as long as these. */
const costOfCharacter = 25;

function programOf(policy: Policy, compile: Expressions['compile'], pace: Pick<Pace, 'owe' | 'now'>): PolicyProgram {
  const params = policy.paramKind !== undefined;
  const compiled = new Map<ExpressionUse, Map<string, Compilation>>();
  const variables = declare(policy, params, compile);
  const declared = (): Declared => {
    while (variables.next());
    return variables;
  };
  return {
    *prepare() {
      while (yield* inPace(variables.next, pace)) yield;
    },
    variables: () => declared().compilations,
    compile: (text, use) => {
      const alike = compiled.get(use) ?? new Map<string, Compilation>();
      const known = alike.get(text);
      if (known) return known;
      const types = policy.variables.length === 0 ? undefined : declared().types;
      const authorizer = use !== 'message';
      const patch = use === 'ApplyConfiguration' || use === 'JSONPatch';
      const compilation = compile(text, { stored: true, params, authorizer, patch, variables: types }, returns[use]);
      compiled.set(use, alike.set(text, compilation));
      return compilation;
    },
  };
}

interface Declared {
  /** Declares one more; false when there is none. */
  readonly next: () => boolean;
  readonly compilations: ReadonlyMap<string, Compilation>;
  readonly types: ReadonlyMap<string, Type>;
}

/** Follows apiserver pkg/admission/plugin/cel/composition.go CompileAndStoreVariables (rule VAP-25). */
function declare({ variables }: Policy, params: boolean, compile: Expressions['compile']): Declared {
  const compilations = new Map<string, Compilation>();
  const types = new Map<string, Type>();
  let at = 0;
  const next = (): boolean => {
    const variable = variables[at];
    if (!variable) return false;
    const compilation = compile(variable.expression, { stored: true, params, variables: types });
    at += 1;
    compilations.set(variable.name, compilation);
    types.set(variable.name, compilation.outcome === 'compiled' ? compilation.compiled.checked.type : dynType);
    return true;
  };
  return { next, compilations, types };
}
