import { asList, asObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';

const webhookConfigurations: ReadonlySet<string> = new Set([
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
]);

/** Is this resource of `admissionregistration.k8s.io` one whose objects mostly have no expressions? */
export const isMostlyPlain = (resource: string): boolean => webhookConfigurations.has(resource);

/** Does an object of such a resource have expressions? Only then the engine is loaded for it: that takes 30 ms. */
export const hasExpressions = (configuration: JsonObject): boolean =>
  asList(configuration['webhooks']).some((entry) => asList(asObject(entry)['matchConditions']).length > 0);
