import { asList, asObject, type JsonObject } from '../../../machinery/json/json.ts';
import type { LintHook } from './lint-set.ts';

/** A namespaceSelector that also excludes these namespaces. */
export function withoutNamespaces({ webhook: { definition } }: LintHook, namespaces: readonly string[]): JsonObject {
  const selector = asObject(definition['namespaceSelector']);
  const added = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: [...new Set(namespaces)] };
  return { namespaceSelector: { ...selector, matchExpressions: [...asList(selector['matchExpressions']), added] } };
}

/** matchConditions that also exclude these cluster-scoped resources. */
export function withoutResources({ webhook: { definition } }: LintHook, resources: readonly string[]): JsonObject {
  const quoted = [...new Set(resources)].map((one) => `'${one}'`).join(', ');
  const added = { name: 'exempt-bootstrap', expression: `!(request.resource.resource in [${quoted}])` };
  return { matchConditions: [...asList(definition['matchConditions']), added] };
}
