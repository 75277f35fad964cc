import { asList, asObject, asString, isJsonObject } from '../../../../machinery/json/json.ts';
import type { JsonObject } from '../../../../machinery/json/json.ts';
import { serverMetadata } from '../../../../machinery/meta/printed-object.ts';

/** What a recorded patch asks of a server, which lets its own fields, status and the node of a Pod be written in other ways. */
export interface PatchParts {
  /** A deletion was asked for; with so many seconds of patience if it says. */
  readonly deletion?: { readonly gracePeriodSeconds?: number };
  /** The node that the Pod was bound to. */
  readonly node?: string;
  /** The finalizers of a Namespace went. */
  readonly finalizes: boolean;
  /** What is left for the object itself; undefined when nothing is. */
  readonly rest?: JsonObject;
  readonly status?: JsonObject;
}

/** Of which resource the patch is: what a server treats apart. */
export type Treated = 'pods' | 'namespaces' | 'other';

/**
 * Parts a patch of all that changed in storage: what a server alone writes goes, owners are named by their new uids (those that are not
 * known go), the deletion, the binding and the status are asked for apart.
 */
export function patchParts(
  patch: JsonObject,
  treated: Treated,
  newUid: (uid: string) => string | undefined,
): PatchParts {
  const { status, metadata, spec, ...others } = patch;
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = asObject(metadata);
  const deletion = typeof grace === 'number' ? { gracePeriodSeconds: grace } : {};
  const { nodeName, ...podSpec } = asObject(spec);
  const ownMetadata = metadataPart(asObject(metadata), newUid);
  const ownSpec = treated === 'namespaces' ? {} : treated === 'pods' ? podSpec : spec;
  const rest = { ...others, ...part('metadata', ownMetadata), ...part('spec', ownSpec) };
  return {
    ...(typeof deletionTimestamp === 'string' ? { deletion } : {}),
    ...(treated === 'pods' && asString(nodeName) !== '' ? { node: asString(nodeName) } : {}),
    finalizes: treated === 'namespaces' && spec !== undefined,
    ...(Object.keys(rest).length > 0 ? { rest } : {}),
    ...(status === undefined ? {} : { status: { status } }),
  };
}

/** Only what says something: an empty map changes nothing, and `null` takes a field away. */
const part = (field: string, value: JsonObject[string]): JsonObject =>
  value === undefined || (isJsonObject(value) && Object.keys(value).length === 0) ? {} : { [field]: value };

function metadataPart(metadata: JsonObject, newUid: (uid: string) => string | undefined): JsonObject {
  const kept = Object.entries(metadata).filter(([field]) => !serverMetadata.has(field) && field !== orderOfOwners);
  const owners = asList(metadata['ownerReferences'])
    .map(asObject)
    .flatMap((owner) => {
      const uid = newUid(asString(owner['uid']));
      return uid === undefined ? [] : [{ ...owner, uid }];
    });
  return { ...Object.fromEntries(kept), ...(owners.length > 0 ? { ownerReferences: owners } : {}) };
}

/** Names them by their old uids, and says nothing else. */
const orderOfOwners = '$setElementOrder/ownerReferences';
