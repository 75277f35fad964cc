import { check } from '../check/check.ts';
import type { Checked } from '../check/checker.ts';
import type { Environment } from '../check/environment.ts';
import { issuesText } from '../syntax/issues.ts';
import { parse } from '../syntax/parse.ts';
import { plan, type Program } from './plan.ts';
import { createSource, type Source } from '../syntax/source-text.ts';

export interface Compiled {
  readonly source: Source;
  readonly checked: Checked;
  readonly program: Program;
  /** The program that reports the value of every part; compiled when it is first used. */
  readonly observed: () => Program;
}

export type Compilation =
  | { readonly outcome: 'compiled'; readonly compiled: Compiled }
  /** The text as the API server prints it: `compilation failed: ERROR: …` or `program instantiation failed: …`. */
  | CompilationFailure;

/** `isInternal`: the expression is valid, but planning its program failed, such as for `int('x')`. */
export interface CompilationFailure {
  readonly outcome: 'failed';
  readonly error: string;
  readonly isInternal?: true;
}

/** Parses, checks and plans. `accept` may refuse the checked expression, such as for its type. */
export function compile(
  text: string,
  environment: Environment,
  accept: (checked: Checked) => string | undefined = () => undefined,
): Compilation {
  const source = createSource(text);
  const parsing = parse(source, environment.macros);
  if (parsing.outcome === 'invalid')
    return compilationFailure(`compilation failed: ${issuesText(source, parsing.issues)}`);
  const checking = check(parsing.ast, source, environment);
  if (checking.outcome === 'invalid')
    return compilationFailure(`compilation failed: ${issuesText(source, checking.issues)}`);
  const { checked } = checking;
  const refused = accept(checked);
  if (refused !== undefined) return compilationFailure(refused);
  const planning = plan(checked);
  if (planning.outcome === 'failed') {
    return { ...compilationFailure(`program instantiation failed: ${planning.error}`), isInternal: true };
  }
  const { program } = planning;
  let observed: Program | undefined;
  return {
    outcome: 'compiled',
    compiled: { source, checked, program, observed: () => (observed ??= compileObserved(checked) ?? program) },
  };
}

const compilationFailure = (error: string): CompilationFailure => ({ outcome: 'failed', error });

function compileObserved(checked: Checked): Program | undefined {
  const planning = plan(checked, true);
  return planning.outcome === 'planned' ? planning.program : undefined;
}
