import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import type { LabelSelector } from '../../../machinery/selectors/label-selector.ts';
import type { ApiClient } from '../../client.ts';
import type { ControllerStore } from '../../controller.ts';
import { byAge, intOf, isDeleted, namespaceOf } from '../fields.ts';
import { claim, isControlledBy } from '../ownership.ts';
import { appsV1 } from '../replica-kinds.ts';
import type { ControllerRevision } from '../../../api/types/generated/apps-v1.ts';
import { putObject, removeObject } from '../../write-object.ts';

export const controllerRevisions = appsV1('controllerrevisions');

export const revisionNumber = (revision: ControllerRevision): number => intOf(revision.revision);

/** Earliest first. Follows pkg/controller/history/controller_history.go SortControllerRevisions. */
export const byRevision = (a: KubernetesObject, b: KubernetesObject): number =>
  revisionNumber(a) - revisionNumber(b) || byAge(a, b);

interface Owning {
  readonly owner: KubernetesObject;
  readonly selector: LabelSelector;
  readonly client: ApiClient;
  readonly store: Pick<ControllerStore, 'list'>;
}

/** The owner's revisions, earliest first; adopts selected orphans. */
export async function ownRevisions(owning: Owning): Promise<Result<readonly KubernetesObject[]>> {
  const { owner, store } = owning;
  if (isDeleted(owner))
    return ok(
      store
        .list(controllerRevisions, namespaceOf(owner))
        .filter((one) => isControlledBy(one, owner))
        .sort(byRevision),
    );
  const claimed = await claim({ ...owning, resource: controllerRevisions });
  return claimed.ok ? ok([...claimed.value].sort(byRevision)) : claimed;
}

/** Changes the revision number if it differs. */
export const renumber = async (
  client: ApiClient,
  revision: ControllerRevision,
  number: number,
): Promise<Result<KubernetesObject>> =>
  revisionNumber(revision) === number
    ? ok(revision)
    : putObject(client, controllerRevisions, { ...revision, revision: number });

/** Deletes in sequence; 404 counts as success. */
export async function forget(client: ApiClient, revisions: readonly ControllerRevision[]): Promise<Result<unknown>> {
  for (const revision of revisions) {
    const deleted = await removeObject(client, controllerRevisions, revision);
    if (!deleted.ok) return deleted;
  }
  return ok(undefined);
}

export const labelOf = (object: KubernetesObject, key: string): string => metadataOf(object).labels?.[key] ?? '';
