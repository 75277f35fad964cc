import { asList, asObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { LoadedManifest } from '../format.ts';
import { isConfiguration, nameOf } from '../known-webhooks.ts';
import type { EverydayWrite } from './everyday-writes.ts';
import type { WebhookName } from './report.ts';

/** What lets these writes pass a webhook: namespaces by a selector, resources of the whole cluster by a matchCondition. */
export interface Exemption {
  readonly namespaces: readonly string[];
  readonly resources: readonly string[];
}

export function exemptionFor(writes: readonly EverydayWrite[]): Exemption {
  const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
  return {
    namespaces: unique(writes.flatMap(({ namespace }) => (namespace === '' ? [] : [namespace]))),
    resources: unique(writes.flatMap(({ namespace, resource }) => (namespace === '' ? [resource] : []))),
  };
}

/** The fields of the webhook that say so. */
export function fieldsOf({ namespaces, resources }: Exemption): JsonObject {
  const quoted = resources.map((one) => `'${one}'`).join(', ');
  return {
    ...(namespaces.length === 0 ? {} : { namespaceSelector: { matchExpressions: [notIn(namespaces)] } }),
    ...(resources.length === 0
      ? {}
      : { matchConditions: [{ name: 'exempt-bootstrap', expression: `!(request.resource.resource in [${quoted}])` }] }),
  };
}

const notIn = (values: readonly string[]): JsonObject => ({
  key: 'kubernetes.io/metadata.name',
  operator: 'NotIn',
  values,
});

/** The manifests with these exemptions in the webhooks, beside what they select already. */
export function withExemptions(
  load: readonly LoadedManifest[],
  exemptions: readonly (WebhookName & { readonly exemption: Exemption })[],
): readonly LoadedManifest[] {
  return load.map((manifest) => {
    const { object } = manifest;
    if (!isConfiguration(object)) return manifest;
    const webhooks = asList(object['webhooks']).map((entry) => {
      const webhook = asObject(entry);
      return exemptions
        .filter(({ name, configuration }) => name === webhook['name'] && configuration === nameOf(object))
        .reduce((current, { exemption }) => withFields(current, fieldsOf(exemption)), webhook);
    });
    return { ...manifest, object: { ...object, webhooks } };
  });
}

function withFields(webhook: JsonObject, fields: JsonObject): JsonObject {
  const selector = asObject(webhook['namespaceSelector']);
  const added = asObject(fields['namespaceSelector']);
  const expressions = [...asList(selector['matchExpressions']), ...asList(added['matchExpressions'])];
  const conditions = [...asList(webhook['matchConditions']), ...asList(fields['matchConditions'])];
  return {
    ...webhook,
    ...(expressions.length === 0 ? {} : { namespaceSelector: { ...selector, matchExpressions: expressions } }),
    ...(conditions.length === 0 ? {} : { matchConditions: conditions }),
  };
}
