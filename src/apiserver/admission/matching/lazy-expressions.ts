import { asList, asObject, type JsonObject } from '../../../machinery/json/json.ts';
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
    evaluator: (...args) => engine().evaluator(...args),
    toApplyConfiguration: (value) => engine().toApplyConfiguration(value),
    toJsonPatchOperations: (value) => engine().toJsonPatchOperations(value),
    checkTypes: (expression, subject) => engine().checkTypes(expression, subject),
  };
}

const webhookConfigurations: ReadonlySet<string> = new Set([
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
]);

/** Most objects of these resources have no expressions. */
export const isMostlyPlain = (resource: string): boolean => webhookConfigurations.has(resource);

/** Loading the engine takes 30 ms, so it happens only for objects with expressions. */
export const hasExpressions = (configuration: JsonObject): boolean =>
  asList(configuration['webhooks']).some((entry) => asList(asObject(entry)['matchConditions']).length > 0);

const selectingDevices: ReadonlySet<string> = new Set(['deviceclasses', 'resourceclaims', 'resourceclaimtemplates']);

/** Whether an object of `resource.k8s.io` selects devices by expressions. */
export function hasSelectors(resource: string, { spec }: JsonObject): boolean {
  if (!selectingDevices.has(resource)) return false;
  const { selectors, devices, spec: ofTemplate } = asObject(spec);
  if (asList(selectors).length > 0) return true;
  const { requests } = asObject(devices ?? asObject(ofTemplate)['devices']);
  return asList(requests).some((request) => {
    const { exactly, firstAvailable } = asObject(request);
    return [exactly, ...asList(firstAvailable)].some((one) => asList(asObject(one)['selectors']).length > 0);
  });
}
