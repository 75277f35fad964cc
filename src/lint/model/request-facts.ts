import type { Operation } from '../../admission/attributes.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import type { ServedRow } from './served-rows.ts';

/** What expressions can know of a request before it is made: its operation and resource, and which objects there are. */
export function requestFacts(operation: Operation, row: ServedRow, namespace?: string): ReadonlyMap<string, JsonValue> {
  const { group, version, resource, subresource, namespaced } = row;
  const facts = new Map<string, JsonValue>([
    ['request.operation', operation],
    ['request.resource.group', group],
    ['request.resource.version', version],
    ['request.subResource', subresource],
  ]);
  if (resource !== '*') facts.set('request.resource.resource', resource);
  if (subresource === '' && row.isKnown) facts.set('request.kind.kind', row.kind);
  if (operation === 'DELETE') facts.set('object', null);
  if (operation === 'CREATE' || operation === 'CONNECT') facts.set('oldObject', null);
  if (!namespaced) facts.set('namespaceObject', null);
  if (namespace !== undefined)
    for (const [name, value] of inNamespace(operation, row, namespace)) facts.set(name, value);
  return facts;
}

function inNamespace(
  operation: Operation,
  { subresource }: ServedRow,
  namespace: string,
): readonly (readonly [string, JsonValue])[] {
  const objects = subresource === '' ? ['object', 'oldObject'].filter((one) => isThere(one, operation)) : [];
  return [['request.namespace', namespace], ...objects.map((one) => [`${one}.metadata.namespace`, namespace] as const)];
}

const isThere = (object: string, operation: Operation): boolean =>
  object === 'object' ? operation !== 'DELETE' : operation === 'UPDATE' || operation === 'DELETE';
