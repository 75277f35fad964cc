import { asList, asObject, type JsonObject } from '../../../machinery/json/json.ts';

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
