import { didYouMean } from '../../../machinery/nearest-name.ts';
import { isWriteOrConnection, type NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import { type KnownResource, qualifiedResourceName } from '../../../adapters/config/kubeconfig/discovery.ts';

export interface NamedObject {
  readonly resource: KnownResource;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** `TYPE/NAME` as two words; undefined when it is neither. */
export function typeAndName(word: string): readonly [type: string, name: string] | undefined {
  const [type = '', name = '', ...more] = word.split('/');
  return type === '' || name === '' || more.length > 0 ? undefined : [type, name];
}

/** Every write of the object and of its subresources, and every connection to it, oldest first. */
export function writesOf({ resource, namespace, name }: NamedObject, newestFirst: Summaries): Summaries {
  const wanted = qualifiedResourceName(resource);
  return newestFirst
    .filter(
      (one) =>
        isWriteOrConnection(one) &&
        mainResource(one) === wanted &&
        one.name === name &&
        (one.namespace === namespace || isNamespace(resource)),
    )
    .toReversed();
}

/** The last write, preferably not one of the status. */
export const mainWrite = (writes: Summaries): NumberedSummary | undefined =>
  writes.findLast(({ resource }) => !resource.endsWith('/status')) ?? writes.at(-1);

/**
 * The main write of each object that the object owns, directly or not, after that of its owner. Refused creates with
 * generateName have no name: each of them counts.
 */
export function ownedWrites(
  { resource, namespace, name }: NamedObject,
  newestFirst: Summaries,
  known: readonly KnownResource[],
): Summaries {
  const owned = newestFirst
    .filter((one) => isWriteOrConnection(one) && one.namespace === namespace && one.owners.length > 0)
    .toReversed();
  const kinds = new Map(known.map((one) => [qualifiedResourceName(one), one.kind]));
  const visited = new Set<string>();
  const childrenOf = (owner: string): Summaries => {
    if (visited.has(owner)) return [];
    visited.add(owner);
    const children = owned.filter(({ owners }) => owners.includes(owner));
    return groupByObject(children).flatMap((writes) => {
      const write = mainWrite(writes);
      if (write === undefined) return [];
      return write.name === ''
        ? [write]
        : [write, ...childrenOf(`${kinds.get(mainResource(write)) ?? ''}/${write.name}`)];
    });
  };
  return childrenOf(`${resource.kind}/${name}`);
}

/** The writes of each object; each write without a name is alone. */
function groupByObject(writes: Summaries): readonly Summaries[] {
  const objects = new Map<string, NumberedSummary[]>();
  for (const write of writes) {
    const key = `${mainResource(write)}/${write.name || write.id}`;
    objects.set(key, [...(objects.get(key) ?? []), write]);
  }
  return [...objects.values()];
}

export function noWriteText({ resource, namespace, name }: NamedObject, newestFirst: Summaries): string {
  const wanted = qualifiedResourceName(resource);
  const place = namespace === '' ? '' : ` in ${namespace}`;
  const same = newestFirst.filter((one) => mainResource(one) === wanted && one.name !== '');
  const elsewhere = same.find((one) => one.name === name && one.namespace !== namespace);
  const help = elsewhere
    ? `; namespace ${elsewhere.namespace} has one: -n ${elsewhere.namespace}`
    : didYouMean(name, new Set(same.filter((one) => one.namespace === namespace).map((one) => one.name))) ||
      '; kadmit requests lists the known ones';
  return `there is no known write of ${wanted} ${name}${place}${help}`;
}

type Summaries = readonly NumberedSummary[];

const mainResource = ({ resource }: NumberedSummary): string => resource.split('/')[0] ?? '';

const isNamespace = ({ group, resource }: KnownResource): boolean => group === '' && resource === 'namespaces';
