import { type CelEngine, createExpressions, type ExpressionOptions } from './expression-engine.ts';
import type { Expressions } from './expressions.ts';

/** Loads the engine when the first configuration with expressions is written. */
export interface LazyExpressions extends Expressions {
  /** Await this before compiling. */
  readonly load: () => Promise<void>;
}

export function createLazyExpressions(
  loadCel: () => Promise<CelEngine>,
  options: ExpressionOptions = {},
): LazyExpressions {
  let loading: Promise<void> | undefined;
  let loaded: Expressions | undefined;
  const engine = (): Expressions => {
    if (!loaded) throw new Error('an expression is needed before the CEL engine is loaded');
    return loaded;
  };
  return {
    load: () => {
      loading ??= loadCel().then((cel) => {
        loaded = createExpressions(cel, options);
      });
      return loading;
    },
    compile: (text, environment, returns) => engine().compile(text, environment, returns),
    compileSelector: (text, stored) => engine().compileSelector(text, stored),
    countsBranches: options.countsBranches ?? false,
    evaluator: (...asked) => engine().evaluator(...asked),
    configurationOf: (value) => engine().configurationOf(value),
    operationsOf: (value) => engine().operationsOf(value),
    checkTypes: (expression, subject) => engine().checkTypes(expression, subject),
  };
}
