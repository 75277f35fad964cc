import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import type { ApiClient } from '../../client.ts';
import type { ControllerStore } from '../../controller.ts';
import { templateHash } from '../../template-hash/template-hash.ts';
import type { BuiltinTypes } from '../../../api/types/builtin-types.ts';
import { intOrZero, nameOf, namespaceOf, optionalInt, statusOf } from '../fields.ts';
import { templateOf } from '../deployment/replica-sets.ts';
import {
  byRevision,
  deleteRevisions,
  labelOf,
  renumber,
  revisionData,
  revisionNumber,
  revisionText,
  createRevision,
} from '../history/revisions.ts';
import { isControlledBy } from '../ownership.ts';
import { pods } from '../pod-control.ts';
import { appsV1 } from '../replica-kinds.ts';
import { patchObject, putStatus } from '../../write-object.ts';
import { revisionHashLabel } from './daemon-pod.ts';
import type { ControllerRevision, DaemonSet } from '../../../api/types/generated/apps-v1.ts';

export const daemonSets = appsV1('daemonsets');

export interface History {
  /** Of the current template. */
  readonly current: KubernetesObject;
  readonly old: readonly KubernetesObject[];
}

export interface HistoryAccess {
  readonly types: BuiltinTypes;
  readonly client: ApiClient;
  readonly store: Pick<ControllerStore, 'get' | 'list'>;
}

/**
 * The revision of the current template, created or renumbered, and the earlier ones. Follows
 * pkg/controller/daemon/update.go constructHistory.
 */
export async function daemonHistory(
  set: DaemonSet,
  revisions: readonly ControllerRevision[],
  access: HistoryAccess,
): Promise<Result<History>> {
  const text = revisionText(revisionData(set));
  const isCurrent = (one: ControllerRevision): boolean => revisionText(one.data) === text;
  const old = revisions.filter((one) => !isCurrent(one));
  const number = Math.max(0, ...old.map(revisionNumber)) + 1;
  const current = revisions.filter(isCurrent).sort(byRevision);
  const remaining = current.pop();
  if (!remaining) {
    const created = await snapshot(set, number, access);
    return created.ok ? ok({ current: created.value, old }) : created;
  }
  const merged = await mergeInto(set, { remaining, doubles: current }, access);
  if (!merged.ok) return merged;
  const counted = revisionNumber(remaining) < number ? await renumber(access.client, remaining, number) : ok(remaining);
  return counted.ok ? ok({ current: counted.value, old }) : counted;
}

/** Keeps one of several revisions of a template and relabels the Pods of the others. Follows dedupCurHistories. */
async function mergeInto(
  set: DaemonSet,
  { remaining, doubles }: { readonly remaining: KubernetesObject; readonly doubles: readonly KubernetesObject[] },
  { client, store }: HistoryAccess,
): Promise<Result<unknown>> {
  if (doubles.length === 0) return ok(undefined);
  const hash = labelOf(remaining, revisionHashLabel);
  for (const pod of store.list(pods, namespaceOf(set))) {
    if (!isControlledBy(pod, set) || labelOf(pod, revisionHashLabel) === hash) continue;
    const body = { metadata: { labels: { [revisionHashLabel]: hash } } };
    const patched = await patchObject(client, pods, pod, { type: 'merge-patch', body });
    if (!patched.ok) return patched;
  }
  return deleteRevisions(client, doubles);
}

/** A taken name counts as a collision; the next sync tries another. Follows snapshot. */
async function snapshot(
  set: DaemonSet,
  revision: number,
  { types, client, store }: HistoryAccess,
): Promise<Result<KubernetesObject>> {
  const hash = templateHash(types, templateOf(set), optionalInt(set.status?.collisionCount));
  const named = { name: `${nameOf(set)}-${hash}`, labels: { [revisionHashLabel]: hash }, revision };
  const created = await createRevision(set, named, { client, store });
  if (created.ok || created.status.reason !== 'AlreadyExists') return created;
  const counted = { ...statusOf(set), collisionCount: intOrZero(set.status?.collisionCount) + 1 };
  const noted = await putStatus(client, daemonSets, set, counted);
  return noted.ok ? created : noted;
}

/** Deletes unused revisions beyond the limit, earliest first. Follows cleanupHistory. */
export async function cleanHistory(
  set: DaemonSet,
  old: readonly KubernetesObject[],
  { client, store }: HistoryAccess,
): Promise<Result<unknown>> {
  const excess = old.length - (optionalInt(set.spec?.revisionHistoryLimit) ?? 10);
  if (excess <= 0) return ok(undefined);
  const living = store.list(pods, namespaceOf(set)).filter((pod) => isControlledBy(pod, set));
  const hashes = new Set(living.map((pod) => labelOf(pod, revisionHashLabel)));
  const unused = [...old].sort(byRevision).filter((one) => !hashes.has(labelOf(one, revisionHashLabel)));
  return deleteRevisions(client, unused.slice(0, excess));
}
