import type { Clock } from '../../apimachinery/clock.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import { createConditionEngine } from './condition-engine.ts';
import type { CelEngine, ConditionEngine } from './condition-engine.ts';

type Loaded = ConditionEngine & { readonly compileAdmission: CelEngine['compileAdmission'] };

/** A condition engine that is loaded when the first configuration that could need it is written. */
export interface LazyConditionEngine extends Loaded {
  /** Awaited before such a configuration is validated; from then on every expression can be compiled at once. */
  readonly load: () => Promise<void>;
}

/** `loadCel` is asked once. */
export function createLazyConditionEngine(
  loadCel: () => Promise<CelEngine>,
  authorize: Authorize,
  now: Clock['now'],
): LazyConditionEngine {
  let loading: Promise<void> | undefined;
  let loaded: Loaded | undefined;
  const engine = (): Loaded => {
    if (!loaded) throw new Error('an expression is needed before the CEL engine is loaded');
    return loaded;
  };
  return {
    load: () => {
      loading ??= loadCel().then((cel) => {
        loaded = { ...createConditionEngine(cel, authorize, now), compileAdmission: cel.compileAdmission };
      });
      return loading;
    },
    compileCondition: (expression, environment) => engine().compileCondition(expression, environment),
    compileAdmission: (expression, options, returns) => engine().compileAdmission(expression, options, returns),
    evaluateCondition: (expression, variables, budget) => engine().evaluateCondition(expression, variables, budget),
  };
}
