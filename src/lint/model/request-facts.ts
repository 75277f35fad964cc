import type { Operation } from '../../admission/attributes.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import type { Fact } from './expression-truth.ts';
import type { ServedRow } from './served-rows.ts';

/**
 * What is known of a request of this kind before it is made. Upstream builds `request` from an AdmissionRequest: fields of it
 * that are omitted when empty are absent. Follows api/admission/v1/types.go and apiserver pkg/admission/plugin/cel/condition.go.
 */
export function requestFacts(operation: Operation, row: ServedRow, namespace?: string): ReadonlyMap<string, Fact> {
  const { group, version, resource, subresource, namespaced } = row;
  const facts = new Map<string, Fact>(alwaysPresent.map((name) => [name, 'present']));
  facts.set('request.operation', { value: operation });
  facts.set('request.resource.group', { value: group });
  facts.set('request.resource.version', { value: version });
  for (const name of ['request.subResource', 'request.requestSubResource'])
    facts.set(name, subresource === '' ? 'absent' : { value: subresource });
  if (resource !== '*') facts.set('request.resource.resource', { value: resource });
  if (subresource === '' && row.isKnown) facts.set('request.kind.kind', { value: row.kind });
  if (operation === 'DELETE') facts.set('object', { value: null });
  if (operation === 'CREATE' || operation === 'CONNECT') facts.set('oldObject', { value: null });
  if (!namespaced) {
    facts.set('namespaceObject', { value: null });
    for (const object of objectsOf(operation)) facts.set(`${object}.metadata.namespace`, 'absent');
  }
  if (!namespaced && !isNamespace(row)) facts.set('request.namespace', 'absent');
  if (namespace !== undefined && namespace !== '')
    for (const [name, value] of inNamespace(operation, row, namespace)) facts.set(name, { value });
  return facts;
}

const alwaysPresent = ['kind', 'resource', 'requestKind', 'requestResource', 'userInfo', 'dryRun', 'options'].map(
  (field) => `request.${field}`,
);

/** A Namespace is in the namespace of its name. Follows apiserver pkg/endpoints/request/requestinfo.go. */
const isNamespace = ({ group, resource }: ServedRow): boolean => group === '' && resource === 'namespaces';

/** Requests whose object has no name, or that name no object. */
export interface NamelessRequest {
  /** `is created with generateName`. */
  readonly when: 'is created with generateName' | 'is deleted with its collection';
  readonly facts: ReadonlyMap<string, Fact>;
}

/**
 * The request of this kind that has no name, if there is one: mutating admission sees an object with generateName before
 * it is named, and deletecollection names no object.
 */
export function namelessRequest(
  operation: Operation,
  row: ServedRow,
  phase: 'mutating' | 'validating',
): NamelessRequest | undefined {
  if (row.subresource !== '') return undefined;
  const facts = requestFacts(operation, row);
  const absent = (...names: readonly string[]): ReadonlyMap<string, Fact> =>
    new Map([...facts, ...names.map((name) => [name, 'absent'] as const)]);
  if (operation === 'DELETE' && row.deletesCollections)
    return { when: 'is deleted with its collection', facts: absent('request.name') };
  if (operation !== 'CREATE' || phase === 'validating') return undefined;
  const names = ['request.name', 'object.metadata.name', ...(isNamespace(row) ? ['request.namespace'] : [])];
  return { when: 'is created with generateName', facts: absent(...names) };
}

function inNamespace(
  operation: Operation,
  { subresource, namespaced }: ServedRow,
  namespace: string,
): readonly (readonly [string, JsonValue])[] {
  const objects = subresource === '' && namespaced ? objectsOf(operation) : [];
  return [['request.namespace', namespace], ...objects.map((one) => [`${one}.metadata.namespace`, namespace] as const)];
}

/** Those that are not null. */
const objectsOf = (operation: Operation): readonly ('object' | 'oldObject')[] => {
  if (operation === 'UPDATE') return ['object', 'oldObject'];
  return operation === 'DELETE' ? ['oldObject'] : ['object'];
};
