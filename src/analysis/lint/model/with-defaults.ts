import { asList, asObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { formerWebhookDefaults } from '../../../machinery/meta/webhook-fields.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';

const selectors = { namespaceSelector: {}, objectSelector: {} };

/** A configuration of webhooks as it would be stored, as far as `lint` looks: a selector that is left out takes everything. */
export function configurationWithDefaults(object: KubernetesObject): KubernetesObject {
  const defaults = object.apiVersion.endsWith('/v1beta1') ? formerWebhookDefaults('validating') : selectors;
  return { ...object, webhooks: asList(object['webhooks']).map((webhook) => filled(asObject(webhook), defaults)) };
}

/** The same of a policy or a binding. */
export function policyWithDefaults(object: KubernetesObject): KubernetesObject {
  const spec = asObject(object['spec']);
  const match = (field: string): JsonObject =>
    spec[field] === undefined ? {} : { [field]: filled(asObject(spec[field]), selectors) };
  return { ...object, spec: { ...spec, ...match('matchConstraints'), ...match('matchResources') } };
}

const filled = (object: JsonObject, defaults: JsonObject): JsonObject => {
  const given = Object.entries(object).filter(([, value]) => value !== undefined && value !== null);
  return { ...defaults, ...Object.fromEntries(given) };
};
