import { createExpressions } from './expression-engine.ts';
import type { CelEngine, ExpressionOptions } from './expression-engine.ts';
import type { Expressions } from './expressions.ts';

/** Expressions whose engine is loaded when the first configuration that could need it is written. */
export interface LazyExpressions extends Expressions {
  /** Awaited before such a configuration is validated; from then on every expression can be compiled at once. */
  readonly load: () => Promise<void>;
}

/** `loadCel` is asked once. */
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
