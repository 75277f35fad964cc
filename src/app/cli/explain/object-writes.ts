import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import { isWriteOrConnection } from '../../../explain/trace/object-write.ts';
import { qualifiedName } from '../../../adapters/config/kubeconfig/named-resource.ts';
import type { KnownResource } from '../../../adapters/config/kubeconfig/named-resource.ts';

/** An object that somebody asks about. */
export interface AskedObject {
  readonly resource: KnownResource;
  /** Empty for what is in no namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** `TYPE/NAME` as two words; undefined when it is neither. */
export function typeAndName(word: string): readonly [type: string, name: string] | undefined {
  const [type = '', name = '', ...more] = word.split('/');
  return type === '' || name === '' || more.length > 0 ? undefined : [type, name];
}

/** Every write of the object and of its subresources, and every connection to it, oldest first. */
export function writesOf({ resource, namespace, name }: AskedObject, newestFirst: Summaries): Summaries {
  const wanted = qualifiedName(resource);
  return newestFirst
    .filter(
      (one) =>
        isWriteOrConnection(one) &&
        resourceOf(one) === wanted &&
        one.name === name &&
        (one.namespace === namespace || isNamespace(resource)),
    )
    .toReversed();
}

/** The write that people ask about: the last one, but not one of its status if there is any other. */
export const tellingWrite = (writes: Summaries): NumberedSummary | undefined =>
  writes.findLast(({ resource }) => !resource.endsWith('/status')) ?? writes.at(-1);

/**
 * What the object owns, and what that owns, as far as writes name their owners: the telling write of each, after that of
 * its owner. What was refused before it had a name counts each time.
 */
export function familyOf(
  { resource, namespace, name }: AskedObject,
  newestFirst: Summaries,
  known: readonly KnownResource[],
): Summaries {
  const owned = newestFirst
    .filter((one) => isWriteOrConnection(one) && one.namespace === namespace && one.owners.length > 0)
    .toReversed();
  const kinds = new Map(known.map((one) => [qualifiedName(one), one.kind]));
  const told = new Set<string>();
  const childrenOf = (owner: string): Summaries => {
    if (told.has(owner)) return [];
    told.add(owner);
    const children = owned.filter(({ owners }) => owners.includes(owner));
    return byObject(children).flatMap((writes) => {
      const write = tellingWrite(writes);
      if (write === undefined) return [];
      return write.name === ''
        ? [write]
        : [write, ...childrenOf(`${kinds.get(resourceOf(write)) ?? ''}/${write.name}`)];
    });
  };
  return childrenOf(`${resource.kind}/${name}`);
}

/** The writes of each object; what has no name stands alone. */
function byObject(writes: Summaries): readonly Summaries[] {
  const objects = new Map<string, NumberedSummary[]>();
  for (const write of writes) {
    const key = `${resourceOf(write)}/${write.name || write.id}`;
    objects.set(key, [...(objects.get(key) ?? []), write]);
  }
  return [...objects.values()];
}

/** Why nothing is known of the object, and where to look. */
export function nothingKnown({ resource, namespace, name }: AskedObject, newestFirst: Summaries): string {
  const wanted = qualifiedName(resource);
  const place = namespace === '' ? '' : ` in ${namespace}`;
  const same = newestFirst.filter((one) => resourceOf(one) === wanted && one.name !== '');
  const elsewhere = same.find((one) => one.name === name && one.namespace !== namespace);
  const help = elsewhere
    ? `; ${elsewhere.namespace} has one of that name: -n ${elsewhere.namespace}`
    : didYouMean(name, new Set(same.filter((one) => one.namespace === namespace).map((one) => one.name))) ||
      '; kadmit requests lists what came in';
  return `no write of ${wanted} ${name}${place} is known${help}`;
}

type Summaries = readonly NumberedSummary[];

const resourceOf = ({ resource }: NumberedSummary): string => resource.split('/')[0] ?? '';

const isNamespace = ({ group, resource }: KnownResource): boolean => group === '' && resource === 'namespaces';
