import { parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { asList, asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';

export interface Restoring {
  readonly definitions: readonly KubernetesObject[];
  readonly others: readonly KubernetesObject[];
  /** Owner references to objects outside the snapshot: restored, they would get the object garbage-collected. */
  readonly lostOwners: number;
}

/** Leaves out objects that were being deleted and the server's own; owners precede their dependents. */
export function restoringOf(objects: readonly KubernetesObject[]): Restoring {
  const kept = objects.filter((object) => metadataOf(object).deletionTimestamp === undefined && !isServers(object));
  const known = new Set(kept.map((object) => metadataOf(object).uid));
  let lostOwners = 0;
  const owned = kept.map((object) => {
    const uids = ownersOf(object);
    const there = metadataOf(object).ownerReferences?.filter((_owner, at) => known.has(uids[at]));
    lostOwners += uids.length - (there?.length ?? 0);
    return there?.length === uids.length
      ? object
      : withMetadata(object, { ownerReferences: there?.length === 0 ? undefined : there });
  });
  const ordered = ownersFirst(owned.toSorted((one, other) => restoreRank(one) - restoreRank(other)));
  return {
    definitions: ordered.filter((object) => restoreRank(object) === 0),
    others: ordered.filter((object) => restoreRank(object) !== 0),
    lostOwners,
  };
}

const ownersOf = (object: KubernetesObject): readonly string[] =>
  asList(valueAt(object, 'metadata', 'ownerReferences')).map((owner) => asString(asObject(owner)['uid']));

function ownersFirst(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const byUid = new Map(objects.map((object) => [metadataOf(object).uid ?? '', object]));
  const placed = new Set<KubernetesObject>();
  const place = (object: KubernetesObject): void => {
    // Depth first without recursion: chains of owners may be long.
    const pending = [object];
    const open = new Set<KubernetesObject>();
    for (let one = pending.at(-1); one !== undefined; one = pending.at(-1)) {
      open.add(one);
      const missing = ownersOf(one)
        .flatMap((uid) => byUid.get(uid) ?? [])
        .find((owner) => !placed.has(owner) && !open.has(owner));
      if (missing) {
        pending.push(missing);
        continue;
      }
      placed.add(one);
      pending.pop();
    }
  };
  objects.forEach((object) => (placed.has(object) ? undefined : place(object)));
  return [...placed];
}

/** Definitions, namespaces, accounts and nodes, the rest, then admission configurations. */
export function restoreRank({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): number {
  const { group } = parseApiVersion(apiVersion);
  if (group === 'apiextensions.k8s.io') return 0;
  if (group === '' && kind === 'Namespace') return 1;
  if (group === '' && (kind === 'ServiceAccount' || kind === 'Node')) return 2;
  return group === 'admissionregistration.k8s.io' ? 4 : 3;
}

/** Objects that every server creates itself. */
export function isServers(object: KubernetesObject): boolean {
  const { name, namespace, labels } = metadataOf(object);
  if (object.kind === 'APIService') return labels?.['kube-aggregator.kubernetes.io/automanaged'] !== undefined;
  const ofServer = ['Service', 'Endpoints', 'EndpointSlice'];
  return ofServer.includes(object.kind) && namespace === 'default' && name === 'kubernetes';
}
