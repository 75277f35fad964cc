import { ok, type Result } from '../../../machinery/meta/result.ts';
import type { ApiClient } from '../../client.ts';
import type { ControllerStore } from '../../controller.ts';
import { intOrZero, nameOf, optionalInt } from '../fields.ts';
import {
  deleteRevisions,
  revisionTemplate,
  labelOf,
  renumber,
  revisionData,
  revisionHash,
  revisionNumber,
  revisionText,
  createRevision,
} from '../history/revisions.ts';
import type { RevisionPair } from './plan.ts';
import { type TemplateRevision, revisionLabel } from './stateful-pod.ts';
import type { ControllerRevision, StatefulSet } from '../../../api/types/generated/apps-v1.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';

export interface SetRevisions {
  readonly revisionPair: RevisionPair;
  readonly collisionCount: number;
}

interface RevisionAccess {
  readonly client: ApiClient;
  readonly store: Pick<ControllerStore, 'get'>;
}

/**
 * The current revision and the update revision; creates a revision of the current template, or renumbers the one that
 * equals it. `revisions`: earliest first. Follows getStatefulSetRevisions.
 */
export async function setRevisions(
  set: StatefulSet,
  revisions: readonly ControllerRevision[],
  access: RevisionAccess,
): Promise<Result<SetRevisions>> {
  const data = revisionData(set);
  const text = revisionText(data);
  const last = revisions.at(-1);
  const equal = revisions.findLast((one) => revisionText(one.data) === text);
  const number = (last ? revisionNumber(last) : 0) + 1;
  const update = equal
    ? await findEqualRevision(access.client, equal, { isLast: equal === last, number })
    : await newRevision(set, number, access);
  if (!update.ok) return update;
  const { revision, collisionCount = intOrZero(set.status?.collisionCount) } = update.value;
  const current = revisions.find((one) => nameOf(one) === set.status?.currentRevision) ?? revision;
  return ok({
    revisionPair: { current: templateRevisionOf(current), update: templateRevisionOf(revision) },
    collisionCount,
  });
}

const templateRevisionOf = (revision: ControllerRevision): TemplateRevision => ({
  template: revisionTemplate(revision),
  revision: nameOf(revision),
});

interface UpdateRevision {
  readonly revision: ControllerRevision;
  /** When names were in use. */
  readonly collisionCount?: number;
}

async function findEqualRevision(
  client: ApiClient,
  revision: ControllerRevision,
  { isLast, number }: { readonly isLast: boolean; readonly number: number },
): Promise<Result<UpdateRevision>> {
  if (isLast) return ok({ revision });
  const renumbered = await renumber(client, revision, number);
  return renumbered.ok ? ok({ revision: renumbered.value }) : renumbered;
}

/** A name in use for something else changes the hash. Follows CreateControllerRevision. */
async function newRevision(
  set: StatefulSet,
  revision: number,
  access: RevisionAccess,
): Promise<Result<UpdateRevision>> {
  const data = revisionData(set);
  const first = intOrZero(set.status?.collisionCount);
  const labels = { 'controller.kubernetes.io/hash': revisionHash(data, first) };
  for (let collisionCount = first; ; collisionCount += 1) {
    const name = `${nameOf(set).slice(0, 223)}-${revisionHash(data, collisionCount)}`;
    const created = await createRevision(set, { name, labels, revision }, access);
    if (created.ok) return ok({ revision: created.value, collisionCount });
    if (created.status.reason !== 'AlreadyExists') return created;
  }
}

/** Deletes revisions beyond the limit that no Pod uses, the earliest first. Follows truncateHistory. */
export async function truncateHistory(
  set: StatefulSet,
  {
    revisions,
    pods,
    revisionPair,
  }: {
    readonly revisions: readonly ControllerRevision[];
    readonly pods: readonly Pod[];
    readonly revisionPair: RevisionPair;
  },
  client: ApiClient,
): Promise<Result<unknown>> {
  const live = new Set([
    revisionPair.current.revision,
    revisionPair.update.revision,
    ...pods.map((pod) => labelOf(pod, revisionLabel)),
  ]);
  const unused = revisions.filter((one) => !live.has(nameOf(one)));
  const limit = optionalInt(set.spec?.revisionHistoryLimit) ?? 10;
  return deleteRevisions(client, unused.slice(0, Math.max(0, unused.length - limit)));
}
