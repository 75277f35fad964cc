import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KnownWebhook } from './expect/shown.ts';
import type { Scenario } from './format.ts';

/** The webhooks of all configurations that a scenario loads or writes, each once. */
export function knownWebhooks({ load, steps }: Pick<Scenario, 'load' | 'steps'>): readonly KnownWebhook[] {
  const written = steps.flatMap(({ action }) => ('object' in action ? [action.object] : []));
  const found = [...load.map(({ object }) => object), ...written].filter(isConfiguration).flatMap(webhooksOf);
  return [...new Map(found.map((one) => [`${one.configuration}/${one.name}`, one])).values()];
}

/** A MutatingWebhookConfiguration or a ValidatingWebhookConfiguration. */
export const isConfiguration = ({ apiVersion, kind }: JsonObject): boolean =>
  asString(apiVersion).startsWith('admissionregistration.k8s.io/') && asString(kind).endsWith('WebhookConfiguration');

/** Is this the resource of something that decides about other writes: configurations, policies, bindings? */
export const decidesAboutWrites = (resource: string): boolean =>
  /(?:webhookconfigurations|admissionpolicies|admissionpolicybindings)$/.test(resource);

/** A policy of either kind, or a binding of one. */
export const isPolicy = ({ apiVersion, kind }: JsonObject): boolean =>
  asString(apiVersion).startsWith('admissionregistration.k8s.io/') && asString(kind).includes('AdmissionPolicy');

/** Those of one configuration. */
export const webhooksOf = (configuration: JsonObject): readonly KnownWebhook[] =>
  asList(configuration['webhooks']).map((webhook) => ({
    name: asString(asObject(webhook)['name']),
    configuration: nameOf(configuration),
  }));

export const nameOf = (object: JsonObject): string => asString(asObject(object['metadata'])['name']);
