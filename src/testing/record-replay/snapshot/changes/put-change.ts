import {
  callServer,
  messageIn,
  objectIn,
  type ServerAnswer,
  type ServerRequest,
} from '../../../../adapters/config/kubeconfig/call-server.ts';
import { writeJson } from '../../../../machinery/json/json-writer.ts';
import { asList, asObject, asString, isJsonObject, type JsonObject, valueAt } from '../../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, serverMetadata } from '../../../../machinery/meta/object.ts';
import { writeObject, type WriteContext } from '../write-object.ts';
import { collectionPath } from '../../../../machinery/meta/gvk.ts';

/** `gone`: the object to remove did not exist. */
export type ChangeResult = 'created' | 'changed' | 'removed' | 'gone';

/** Resolves with the outcome, or with the server's message as an object. */
export async function putChange(
  change: RecordedChange,
  writing: WriteContext,
): Promise<ChangeResult | { readonly problem: string }> {
  const there = createTarget(change.target, writing);
  if (change.act === 'remove') return remove(there);
  if (change.act === 'patch') return patch(change.patch, there, writing);
  return put(change.object, there, writing);
}

interface TargetObject {
  readonly name: string;
  readonly treated: SpecialResource;
  readonly send: (method: ServerRequest['method'], subresource?: string, sent?: Sent) => Promise<ServerAnswer>;
}

interface Sent {
  readonly body: JsonObject;
  readonly contentType?: string;
}

function createTarget({ namespace, name }: ChangeTarget, { row, access }: WriteContext): TargetObject {
  const path = `${collectionPath(row, namespace === '' ? undefined : namespace)}/${encodeURIComponent(name)}`;
  const isOurs = row.group === '' && (row.resource === 'pods' || row.resource === 'namespaces');
  return {
    name,
    treated: isOurs ? (row.resource === 'pods' ? 'pods' : 'namespaces') : 'other',
    send: (method, subresource = '', sent) =>
      callServer(access, {
        method,
        path: `${path}${subresource}${method === 'GET' || method === 'DELETE' ? '' : '?fieldManager=kadmit-replay'}`,
        ...(sent ? { contentType: 'application/json', ...sent, body: writeJson(sent.body) } : {}),
      }),
  };
}

async function put(
  object: KubernetesObject,
  there: TargetObject,
  writing: WriteContext,
): Promise<ChangeResult | { readonly problem: string }> {
  const { deletionTimestamp, deletionGracePeriodSeconds: seconds } = metadataOf(object);
  if (deletionTimestamp !== undefined) {
    const deleted = await there.send('DELETE', '', {
      body: deleteOptions(typeof seconds === 'number' ? seconds : undefined),
    });
    if (deleted.code === 404) return 'gone';
    if ((await there.send('GET')).code === 404) return 'removed';
  }
  const node = asString(valueAt(object, 'spec', 'nodeName'));
  // An update cannot set a Pod's node. Binding a Pod that has a node or does not exist fails without harm.
  if (there.treated === 'pods' && node !== '') await bind(there, node);
  const written = await writeObject(object, writing);
  if (typeof written === 'string') return { problem: written };
  return written.outcome === 'created' ? 'created' : 'changed';
}

const bind = ({ name, send }: TargetObject, node: string): Promise<ServerAnswer> =>
  send('POST', '/binding', {
    body: {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    },
  });

const deleteOptions = (gracePeriodSeconds: number | undefined): JsonObject => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
});

async function patch(
  recorded: JsonObject,
  there: TargetObject,
  { row, uids }: WriteContext,
): Promise<ChangeResult | { readonly problem: string }> {
  const { deletion, node, finalizes, rest, status } = patchParts(recorded, there.treated, (uid) => uids.get(uid));
  const sends: (() => Promise<ServerAnswer>)[] = [
    ...(deletion ? [() => there.send('DELETE', '', { body: deleteOptions(deletion.gracePeriodSeconds) })] : []),
    ...(node === undefined ? [] : [() => bind(there, node)]),
    ...(finalizes ? [() => finalize(there)] : []),
    ...(rest ? [() => merge(there, '', rest)] : []),
    ...(status ? [() => merge(there, row.hasStatus ? '/status' : '', status)] : []),
  ];
  for (const [at, sendOne] of sends.entries()) {
    const answer = await sendOne();
    // The server has removed the object already: later parts of the patch do not apply.
    if (answer.code === 404 && deletion && at > 0) return 'changed';
    if (answer.code >= 400) return { problem: messageIn(answer.text).trim() };
  }
  return 'changed';
}

/** Custom resources accept no strategic merge patch, and their recordings contain none. */
async function merge({ send }: TargetObject, subresource: string, body: JsonObject): Promise<ServerAnswer> {
  const answer = await send('PATCH', subresource, { body, contentType: 'application/strategic-merge-patch+json' });
  return answer.code === 415
    ? send('PATCH', subresource, { body, contentType: 'application/merge-patch+json' })
    : answer;
}

async function remove(there: TargetObject): Promise<ChangeResult | { readonly problem: string }> {
  const answer = await there.send('DELETE', '', { body: deleteOptions(0) });
  if (answer.code === 404) return 'gone';
  if (answer.code >= 400 && answer.code !== 409) return { problem: messageIn(answer.text).trim() };
  // A namespace stays until its finalizers are removed; in the recording they were.
  if (there.treated === 'namespaces') await finalize(there);
  return 'removed';
}

async function finalize({ send }: TargetObject): Promise<ServerAnswer> {
  const current = await send('GET');
  if (current.code >= 400) return current;
  const namespace = objectIn(current.text);
  const spec = isJsonObject(namespace['spec']) ? namespace['spec'] : {};
  return send('PUT', '/finalize', { body: { ...namespace, spec: { ...spec, finalizers: [] } } });
}

/** A recorded patch by the requests that make it: status, nodeName and deletion need requests of their own. */
export interface PatchParts {
  /** With its grace period if it has one. */
  readonly deletion?: { readonly gracePeriodSeconds?: number };
  readonly node?: string;
  /** Removes the finalizers of a Namespace. */
  readonly finalizes: boolean;
  /** The part for the object itself. */
  readonly rest?: JsonObject;
  readonly status?: JsonObject;
}

/** Resources with special requests. */
export type SpecialResource = 'pods' | 'namespaces' | 'other';

/**
 * Splits a patch of everything that changed in storage. Fields of the server are dropped, owners get their new uids (unknown owners are
 * dropped).
 */
export function patchParts(
  patch: JsonObject,
  treated: SpecialResource,
  newUid: (uid: string) => string | undefined,
): PatchParts {
  const { status, metadata, spec, ...others } = patch;
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = asObject(metadata);
  const deletion = typeof grace === 'number' ? { gracePeriodSeconds: grace } : {};
  const { nodeName, ...podSpec } = asObject(spec);
  const ownMetadata = metadataPart(asObject(metadata), newUid);
  const ownSpec = treated === 'namespaces' ? {} : treated === 'pods' ? podSpec : spec;
  const rest = { ...others, ...optionalPart('metadata', ownMetadata), ...optionalPart('spec', ownSpec) };
  return {
    ...(typeof deletionTimestamp === 'string' ? { deletion } : {}),
    ...(treated === 'pods' && asString(nodeName) !== '' ? { node: asString(nodeName) } : {}),
    finalizes: treated === 'namespaces' && spec !== undefined,
    ...(Object.keys(rest).length > 0 ? { rest } : {}),
    ...(status === undefined ? {} : { status: { status } }),
  };
}

/** An empty map changes nothing; `null` removes a field. */
const optionalPart = (field: string, value: JsonObject[string]): JsonObject =>
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

/** It only names owners by their old uids. */
const orderOfOwners = '$setElementOrder/ownerReferences';

/** A ResourcePatch names its resource, an event of a watch its kind. */
export interface ChangeTarget {
  readonly group: string;
  readonly version: string;
  readonly resource?: string;
  readonly kind?: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** `at`: milliseconds since the recording began. */
export type RecordedChange = { readonly at: number; readonly target: ChangeTarget } & ChangeAct;

type ChangeAct =
  /** The whole object after the change. */
  | { readonly act: 'put'; readonly object: KubernetesObject }
  /** A strategic merge patch of everything that changed, status and server metadata included. */
  | { readonly act: 'patch'; readonly patch: JsonObject }
  | { readonly act: 'remove' };

/** The objects from before the recording, then the changes. */
export type ChangeOutcome =
  | { readonly type: 'object'; readonly object: KubernetesObject }
  | { readonly type: 'change'; readonly change: RecordedChange };
