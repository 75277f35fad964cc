import type { Expressions } from '../matching/expressions.ts';

type Compile = Expressions['compile'];
type Compilation = ReturnType<Compile>;

/** Characters of expressions between two stops; each counts as some more. */
const charactersInAStep = 20_000;
const perExpression = 50;

/**
 * Compiles what `validate` is going to compile, a few expressions at a time, so that others can be let in between, and
 * returns a `compile` for that validation which has it then. Since what a variable comes to decides what the expressions
 * after it may do, each step validates again, with what is compiled so far.
 */
export function* compileAhead(
  compile: Compile,
  validate: (compile: Compile) => unknown,
  most = charactersInAStep,
): Generator<void, Compile> {
  const made: Made[] = [];
  for (;;) {
    let asked = 0;
    let left = most;
    validate((text, environment, returns) => {
      const at = asked;
      asked += 1;
      const known = made[at];
      if (known) return known.compilation;
      if (left <= 0) return notYet;
      left -= text.length + perExpression;
      const compilation = compile(text, environment, returns);
      made.push({ text, compilation });
      return compilation;
    });
    if (made.length >= asked) return remembering(made, compile);
    yield;
  }
}

interface Made {
  readonly text: string;
  readonly compilation: Compilation;
}

const notYet: Compilation = { outcome: 'failed', error: '' };

/** The expressions come once more, in the same order. */
function remembering(made: readonly Made[], compile: Compile): Compile {
  let asked = 0;
  return (text, environment, returns) => {
    const known = made[asked];
    asked += 1;
    return known?.text === text ? known.compilation : compile(text, environment, returns);
  };
}
