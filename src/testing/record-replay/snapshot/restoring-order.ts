import { parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { asList, asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';

export interface RestorePlan {
  readonly definitions: readonly KubernetesObject[];
  readonly others: readonly KubernetesObject[];
  /** Owner references to objects outside the snapshot: restored, they would get the object garbage-collected. */
  readonly lostOwners: number;
}

/** Leaves out objects that were being deleted and the server's own; owners precede their dependents. */
export function planRestore(objects: readonly KubernetesObject[]): RestorePlan {
  const restorable = objects.filter(
    (object) => metadataOf(object).deletionTimestamp === undefined && !isServerOwned(object),
  );
  const known = new Set(restorable.map((object) => metadataOf(object).uid));
  let lostOwners = 0;
  const owned = restorable.map((object) => {
    const uids = ownersOf(object);
    const knownOwners = metadataOf(object).ownerReferences?.filter((_owner, at) => known.has(uids[at]));
    lostOwners += uids.length - (knownOwners?.length ?? 0);
    return knownOwners?.length === uids.length
      ? object
      : withMetadata(object, { ownerReferences: knownOwners?.length === 0 ? undefined : knownOwners });
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
  const ordered = new Set<KubernetesObject>();
  const visit = (object: KubernetesObject): void => {
    // Depth first without recursion: chains of owners may be long.
    const pending = [object];
    const open = new Set<KubernetesObject>();
    for (let one = pending.at(-1); one !== undefined; one = pending.at(-1)) {
      open.add(one);
      const missing = ownersOf(one)
        .flatMap((uid) => byUid.get(uid) ?? [])
        .find((owner) => !ordered.has(owner) && !open.has(owner));
      if (missing) {
        pending.push(missing);
        continue;
      }
      ordered.add(one);
      pending.pop();
    }
  };
  objects.forEach((object) => (ordered.has(object) ? undefined : visit(object)));
  return [...ordered];
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
export function isServerOwned(object: KubernetesObject): boolean {
  const { name, namespace, labels } = metadataOf(object);
  if (object.kind === 'APIService') return labels?.['kube-aggregator.kubernetes.io/automanaged'] !== undefined;
  const ofServer = ['Service', 'Endpoints', 'EndpointSlice'];
  return ofServer.includes(object.kind) && namespace === 'default' && name === 'kubernetes';
}
