import type { ControllerStore } from '../../controller.ts';
import { asStrings } from '../pod-control.ts';
import type { ControllerRevision, DaemonSet, StatefulSet } from '../../../api/types/generated/apps-v1.ts';
import type { PodTemplateSpec } from '../../../api/types/generated/core-v1.ts';
import { escapeForGo, sortedJson } from '../../../machinery/json/json-writer.ts';
import { asObject, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, type StringMap } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import type { ApiClient } from '../../client.ts';
import { safeEncode, fnv32 } from '../../template-hash/template-hash.ts';
import { putObject, removeObject, postObject } from '../../write-object.ts';
import { byAge, intOrZero, isDeleted, namespaceOf } from '../fields.ts';
import { claim, isControlledBy, type Ownership, controllerReference } from '../ownership.ts';
import { appsV1 } from '../replica-kinds.ts';

export const controllerRevisions = appsV1('controllerrevisions');

export const revisionNumber = (revision: ControllerRevision): number => intOrZero(revision.revision);

/** Earliest first. Follows pkg/controller/history/controller_history.go SortControllerRevisions. */
export const byRevision = (a: KubernetesObject, b: KubernetesObject): number =>
  revisionNumber(a) - revisionNumber(b) || byAge(a, b);

/** The owner's revisions, earliest first; adopts selected orphans. */
export async function ownRevisions(owning: Ownership): Promise<Result<readonly KubernetesObject[]>> {
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

/** Creates a revision of the owner's template. One of this name with the same data counts too. */
export async function createRevision(
  owner: DaemonSet | StatefulSet,
  { name, labels, revision }: { readonly name: string; readonly labels: StringMap; readonly revision: number },
  { client, store }: { readonly client: ApiClient; readonly store: Pick<ControllerStore, 'get'> },
): Promise<Result<KubernetesObject>> {
  const namespace = namespaceOf(owner);
  const body: ControllerRevision = {
    kind: 'ControllerRevision',
    apiVersion: 'apps/v1',
    metadata: {
      name,
      namespace,
      labels: { ...asStrings(owner.spec?.template?.metadata?.labels), ...labels },
      annotations: asStrings(metadataOf(owner).annotations),
      ownerReferences: [controllerReference(owner)],
    },
    data: revisionData(owner),
    revision,
  };
  const created = await postObject(client, controllerRevisions, body);
  const isTaken = !created.ok && created.status.reason === 'AlreadyExists';
  const existing: ControllerRevision | undefined = isTaken
    ? store.get(controllerRevisions, namespace, name)
    : undefined;
  return existing && revisionText(existing.data) === revisionText(body.data) ? ok(existing) : created;
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
export async function deleteRevisions(
  client: ApiClient,
  revisions: readonly ControllerRevision[],
): Promise<Result<unknown>> {
  for (const revision of revisions) {
    const deleted = await removeObject(client, controllerRevisions, revision);
    if (!deleted.ok) return deleted;
  }
  return ok(undefined);
}

export const labelOf = (object: KubernetesObject, key: string): string => metadataOf(object).labels?.[key] ?? '';

/** The data of a ControllerRevision: a patch that restores the Pod template. Follows getPatch. */
export const revisionData = (owner: DaemonSet | StatefulSet): JsonObject => ({
  spec: { template: { ...asObject(owner.spec?.template), $patch: 'replace' } },
});

export function revisionTemplate(revision: ControllerRevision): PodTemplateSpec {
  // The patch may contain anything.
  const { $patch: _patch, ...template } = asObject(valueAt(revision.data, 'spec', 'template'));
  return template;
}

/** With sorted keys, as Go prints maps. Equal data means equal revisions. */
export const revisionText = (data: JsonValue | undefined): string => escapeForGo(sortedJson(data ?? null));

/** Follows pkg/controller/history/controller_history.go HashControllerRevision. */
export const revisionHash = (data: JsonObject, collisionCount: number): string =>
  safeEncode(String(fnv32(encoder.encode(`${revisionText(data)}${collisionCount}`))));

const encoder = new TextEncoder();
