import type { Expressions } from '../matching/expressions.ts';

type Compile = Expressions['compile'];

/**
 * Compiles what `validate` is going to compile, one expression at a time, so that others can be let in between them:
 * a `compile` that keeps what it made has it then. Expressions that use `variables` are left out: their types are not known yet.
 */
export function* compileAhead(compile: Compile, validate: (compile: Compile) => unknown): Generator<void> {
  const asked: Parameters<Compile>[] = [];
  validate((...expression) => {
    if (expression[1].variables === undefined) asked.push(expression);
    return { outcome: 'failed', error: '' };
  });
  for (const expression of asked) {
    compile(...expression);
    yield;
  }
}
