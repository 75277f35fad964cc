import { asList, asObject, asString, isJsonObject, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import type { LoadedManifest } from '../format.ts';
import { isConfiguration, nameOf } from '../known-webhooks.ts';

export interface ConfiguredWebhook {
  readonly name: string;
  readonly configuration: string;
  readonly type: 'mutating' | 'validating';
  readonly definition: JsonObject;
}

/** A Service of the cluster, or an external address, that answers webhooks. */
export interface OutageBackend {
  /** `kyverno/kyverno-svc`, or the host of a url. */
  readonly name: string;
  readonly webhooks: readonly ConfiguredWebhook[];
  /** undefined for an external address, which needs nothing from the cluster. */
  readonly namespace: string | undefined;
  /** A Pod of its workload, as far as the manifests define it. */
  readonly pod: JsonObject;
}

/** In the order of their first webhook. */
export function listBackends(load: readonly LoadedManifest[]): readonly OutageBackend[] {
  const objects = load.map(({ object }) => object);
  const webhooks = objects.filter(isConfiguration).flatMap(webhooksOf);
  const groups = new Map<string, ConfiguredWebhook[]>();
  for (const webhook of webhooks) {
    const name = backendName(webhook);
    groups.set(name, [...(groups.get(name) ?? []), webhook]);
  }
  return [...groups].map(([name, all]) => {
    const service = serviceOf(all[0]?.definition ?? {});
    const namespace = service && asString(service['namespace']);
    return { name, webhooks: all, namespace, pod: findPod(objects, namespace ?? '', asString(service?.['name'])) };
  });
}

const webhooksOf = (configuration: JsonObject): readonly ConfiguredWebhook[] =>
  asList(configuration['webhooks']).map((entry) => ({
    name: asString(asObject(entry)['name']),
    configuration: nameOf(configuration),
    type: configuration['kind'] === 'MutatingWebhookConfiguration' ? 'mutating' : 'validating',
    definition: asObject(entry),
  }));

/** By reference, or from a url with the Service's cluster name: `name.namespace.svc`. */
function serviceOf(definition: JsonObject): JsonObject | undefined {
  const service = valueAt(definition, 'clientConfig', 'service');
  if (isJsonObject(service)) return service;
  const [, name, namespace] = /^([^.]+)\.([^.]+)\.svc(\.|$)/.exec(parseUrl(definition)?.hostname ?? '') ?? [];
  return name === undefined || namespace === undefined ? undefined : { name, namespace };
}

function parseUrl(definition: JsonObject): URL | undefined {
  const url = asString(valueAt(definition, 'clientConfig', 'url'));
  return URL.canParse(url) ? new URL(url) : undefined;
}

function backendName({ definition, name }: ConfiguredWebhook): string {
  const service = serviceOf(definition);
  if (service) return `${asString(service['namespace'])}/${asString(service['name'])}`;
  return parseUrl(definition)?.host ?? name;
}

/** The template of the workload that the Service selects, else a Pod with the selected labels. */
function findPod(objects: readonly JsonObject[], namespace: string, service: string): JsonObject {
  const selector = objects
    .filter((object) => object['kind'] === 'Service' && isInNamespace(object, namespace) && nameOf(object) === service)
    .map((object) => asObject(valueAt(object, 'spec', 'selector')))[0];
  const template = objects
    .filter((object) => isInNamespace(object, namespace))
    .map((object) => asObject(valueAt(object, 'spec', 'template')))
    .find((one) => selector && Object.keys(selector).length > 0 && hasLabels(one, selector));
  const labels = asObject(valueAt(template ?? {}, 'metadata', 'labels'));
  return {
    labels: Object.keys(labels).length > 0 ? labels : (selector ?? {}),
    annotations: asObject(valueAt(template ?? {}, 'metadata', 'annotations')),
  };
}

const isInNamespace = (object: JsonObject, namespace: string): boolean =>
  (asString(valueAt(object, 'metadata', 'namespace')) || 'default') === namespace;

function hasLabels(template: JsonObject, selector: JsonObject): boolean {
  const labels = asObject(valueAt(template, 'metadata', 'labels'));
  return Object.keys(selector).every((key) => sameJson(labels[key], selector[key]));
}
