import { asList, asObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';

const webhookConfigurations: ReadonlySet<string> = new Set([
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
]);

/** Is this resource of `admissionregistration.k8s.io` one whose objects mostly have no expressions? */
export const isMostlyPlain = (resource: string): boolean => webhookConfigurations.has(resource);

/** Does an object of such a resource have expressions? Only then the engine is loaded for it: that takes 30 ms. */
export const hasExpressions = (configuration: JsonObject): boolean =>
  asList(configuration['webhooks']).some((entry) => asList(asObject(entry)['matchConditions']).length > 0);

const selectingDevices: ReadonlySet<string> = new Set(['deviceclasses', 'resourceclaims', 'resourceclaimtemplates']);

/** Does an object of this resource of `resource.k8s.io` select devices by expressions? */
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
