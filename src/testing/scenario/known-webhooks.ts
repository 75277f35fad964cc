import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import type { KnownWebhook } from './expect/step-observation.ts';
import type { Scenario } from './format.ts';

/** From the configurations that a scenario loads or writes, each once. */
export function knownWebhooks({ load, steps }: Pick<Scenario, 'load' | 'steps'>): readonly KnownWebhook[] {
  const written = steps.flatMap(({ action }) => ('object' in action ? [action.object] : []));
  const found = [...load.map(({ object }) => object), ...written].filter(isConfiguration).flatMap(knownWebhooksOf);
  return [...new Map(found.map((one) => [`${one.configuration}/${one.name}`, one])).values()];
}

export const isConfiguration = ({ apiVersion, kind }: JsonObject): boolean =>
  asString(apiVersion).startsWith('admissionregistration.k8s.io/') && asString(kind).endsWith('WebhookConfiguration');

/** Resources that affect other writes: configurations, policies, bindings. */
export const isAdmissionResource = (resource: string): boolean =>
  /(?:webhookconfigurations|admissionpolicies|admissionpolicybindings)$/.test(resource);

/** Includes bindings. */
export const isPolicy = ({ apiVersion, kind }: JsonObject): boolean =>
  asString(apiVersion).startsWith('admissionregistration.k8s.io/') && asString(kind).includes('AdmissionPolicy');

export const knownWebhooksOf = (configuration: JsonObject): readonly KnownWebhook[] =>
  asList(configuration['webhooks']).map((webhook) => ({
    name: asString(asObject(webhook)['name']),
    configuration: nameOf(configuration),
  }));

export const nameOf = (object: JsonObject): string => asString(asObject(object['metadata'])['name']);
