import { asList, asObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { LintHook } from './lint-set.ts';

/** The namespaceSelector of a webhook that leaves these namespaces out too. */
export function withoutNamespaces({ webhook: { definition } }: LintHook, namespaces: readonly string[]): JsonObject {
  const selector = asObject(definition['namespaceSelector']);
  const added = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: [...new Set(namespaces)] };
  return { namespaceSelector: { ...selector, matchExpressions: [...asList(selector['matchExpressions']), added] } };
}

/** The matchConditions of a webhook that leave these resources of the whole cluster out too. */
export function withoutResources({ webhook: { definition } }: LintHook, resources: readonly string[]): JsonObject {
  const quoted = [...new Set(resources)].map((one) => `'${one}'`).join(', ');
  const added = { name: 'exempt-bootstrap', expression: `!(request.resource.resource in [${quoted}])` };
  return { matchConditions: [...asList(definition['matchConditions']), added] };
}
