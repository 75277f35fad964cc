import type { Operation } from '../../../apiserver/admission/chain/attributes.ts';
import type { Fact } from './expression-truth.ts';
import type { ServedRow } from './served-rows.ts';

/**
 * Facts about requests of this kind. Upstream builds `request` from an AdmissionRequest: empty optional fields are
 * absent. Follows api/admission/v1/types.go and apiserver pkg/admission/plugin/cel/condition.go.
 */
export function requestFacts(
  operation: Operation,
  row: ServedRow,
  { namespace = '', phase }: { readonly namespace?: string; readonly phase?: Phase } = {},
): ReadonlyMap<string, Fact> {
  const { group, version, resource, subresource, namespaced } = row;
  return new Map<string, Fact>([
    ...alwaysPresent.map((name) => [name, 'present'] as const),
    ['request.operation', { value: operation }],
    ['request.resource.group', { value: group }],
    ['request.resource.version', { value: version }],
    ['request.subResource', textFact(subresource)],
    ['request.requestSubResource', textFact(subresource)],
    ...entryIf(resource !== '*', ['request.resource.resource', { value: resource }]),
    ...entryIf(subresource === '' && row.isKnown, ['request.kind.kind', { value: row.kind }]),
    ...(['object', 'oldObject'] as const).flatMap((object) => objectFacts(object, operation, row, namespace)),
    ...(operation === 'CREATE' && subresource === '' ? newObjectFacts(phase) : []),
    ...entryIf(!namespaced, ['namespaceObject', { value: null }]),
    ...entryIf(!namespaced && !isNamespace(row), ['request.namespace', 'absent']),
    ...entryIf(namespace !== '', ['request.namespace', { value: namespace }]),
  ]);
}

type Phase = 'mutating' | 'validating';

type Entry = readonly [name: string, fact: Fact];

const entryIf = (condition: boolean, entry: Entry): readonly Entry[] => (condition ? [entry] : []);

const textFact = (value: string): Fact => (value === '' ? 'absent' : { value });

/** `object` is null on DELETE, `oldObject` on CREATE and CONNECT. */
function objectFacts(
  object: 'object' | 'oldObject',
  operation: Operation,
  { subresource, namespaced }: ServedRow,
  namespace: string,
): readonly Entry[] {
  const isNull = object === 'object' ? operation === 'DELETE' : operation === 'CREATE' || operation === 'CONNECT';
  if (isNull) return [[object, { value: null }]];
  const name = `${object}.metadata.namespace`;
  if (!namespaced) return [[name, 'absent']];
  return entryIf(subresource === '' && namespace !== '', [name, { value: namespace }]);
}

/**
 * A uid is set between mutating and validating admission, a resourceVersion when the object is stored. Follows apiserver
 * pkg/endpoints/handlers/create.go and pkg/registry/generic/registry/store.go.
 */
const newObjectFacts = (phase: Phase | undefined): readonly Entry[] => [
  ['object.metadata.resourceVersion', 'absent'],
  ...entryIf(phase === 'mutating', ['object.metadata.uid', 'absent']),
];

const alwaysPresent = ['kind', 'resource', 'requestKind', 'requestResource', 'userInfo', 'dryRun', 'options'].map(
  (field) => `request.${field}`,
);

/** A Namespace is in the namespace of its name. Follows apiserver pkg/endpoints/request/requestinfo.go. */
const isNamespace = ({ group, resource }: ServedRow): boolean => group === '' && resource === 'namespaces';

/** A request whose object has no name, or that names no object. */
export interface UnnamedRequest {
  /** `is created with generateName`. */
  readonly when: 'is created with generateName' | 'is deleted with its collection';
  readonly facts: ReadonlyMap<string, Fact>;
}

/**
 * The nameless request of this kind, if any: mutating admission precedes the name of generateName, and
 * deletecollection names no object.
 */
export function unnamedRequest(operation: Operation, row: ServedRow, phase: Phase): UnnamedRequest | undefined {
  if (row.subresource !== '') return undefined;
  const facts = requestFacts(operation, row, { phase });
  const absent = (...names: readonly string[]): ReadonlyMap<string, Fact> =>
    new Map([...facts, ...names.map((name) => [name, 'absent'] as const)]);
  if (operation === 'DELETE' && row.deletesCollections)
    return { when: 'is deleted with its collection', facts: absent('request.name') };
  if (operation !== 'CREATE' || phase === 'validating') return undefined;
  const names = ['request.name', 'object.metadata.name', ...(isNamespace(row) ? ['request.namespace'] : [])];
  return { when: 'is created with generateName', facts: absent(...names) };
}
