import { callServer, messageIn, objectIn } from '../../../../adapters/config/kubeconfig/call-server.ts';
import type { ServerAnswer, ServerRequest } from '../../../../adapters/config/kubeconfig/call-server.ts';
import { writeJson } from '../../../../machinery/json/json-writer.ts';
import { asList, asObject, asString, isJsonObject, valueAt } from '../../../../machinery/json/json.ts';
import type { JsonObject } from '../../../../machinery/json/json.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import { serverMetadata } from '../../../../machinery/meta/printed-object.ts';
import { collectionOf, writeObject } from '../write-object.ts';
import type { Writing } from '../write-object.ts';

/** What became of a change; `gone`: it removes what is not there any more. */
export type Put = 'created' | 'changed' | 'removed' | 'gone';

/** Makes one change on a server. Resolves with what became of it, or with what the server says against it, as an object. */
export async function putChange(change: Change, writing: Writing): Promise<Put | { readonly problem: string }> {
  const there = thereOf(change.target, writing);
  if (change.act === 'remove') return remove(there);
  if (change.act === 'patch') return patch(change.patch, there, writing);
  return put(change.object, there, writing);
}

/** One object, and how to ask for it. */
interface There {
  readonly name: string;
  readonly treated: Treated;
  readonly send: (method: ServerRequest['method'], subresource?: string, sent?: Sent) => Promise<ServerAnswer>;
}

interface Sent {
  readonly body: JsonObject;
  readonly contentType?: string;
}

function thereOf({ namespace, name }: ChangeTarget, { row, access }: Writing): There {
  const path = `${collectionOf(row, namespace === '' ? undefined : namespace)}/${encodeURIComponent(name)}`;
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
  there: There,
  writing: Writing,
): Promise<Put | { readonly problem: string }> {
  const { deletionTimestamp, deletionGracePeriodSeconds: seconds } = metadataOf(object);
  if (deletionTimestamp !== undefined) {
    const asked = await there.send('DELETE', '', {
      body: deleteOptions(typeof seconds === 'number' ? seconds : undefined),
    });
    if (asked.code === 404) return 'gone';
    if ((await there.send('GET')).code === 404) return 'removed';
  }
  const node = asString(valueAt(object, 'spec', 'nodeName'));
  // An update may not give a Pod its node; a Pod that has one, or is not there, has this refused.
  if (there.treated === 'pods' && node !== '') await bind(there, node);
  const written = await writeObject(object, writing);
  if (typeof written === 'string') return { problem: written };
  return written.outcome === 'created' ? 'created' : 'changed';
}

const bind = ({ name, send }: There, node: string): Promise<ServerAnswer> =>
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
  there: There,
  { row, uids }: Writing,
): Promise<Put | { readonly problem: string }> {
  const { deletion, node, finalizes, rest, status } = patchParts(recorded, there.treated, (uid) => uids.get(uid));
  const asks: (() => Promise<ServerAnswer>)[] = [
    ...(deletion ? [() => there.send('DELETE', '', { body: deleteOptions(deletion.gracePeriodSeconds) })] : []),
    ...(node === undefined ? [] : [() => bind(there, node)]),
    ...(finalizes ? [() => finalize(there)] : []),
    ...(rest ? [() => merge(there, '', rest)] : []),
    ...(status ? [() => merge(there, row.hasStatus ? '/status' : '', status)] : []),
  ];
  for (const [at, ask] of asks.entries()) {
    const answer = await ask();
    // A server has removed at once what was to be removed, and what else is recorded of it comes too late.
    if (answer.code === 404 && deletion && at > 0) return 'changed';
    if (answer.code >= 400) return { problem: messageIn(answer.text).trim() };
  }
  return 'changed';
}

/** Custom resources take no strategic patch, and their recordings hold none. */
async function merge({ send }: There, subresource: string, body: JsonObject): Promise<ServerAnswer> {
  const answer = await send('PATCH', subresource, { body, contentType: 'application/strategic-merge-patch+json' });
  return answer.code === 415
    ? send('PATCH', subresource, { body, contentType: 'application/merge-patch+json' })
    : answer;
}

async function remove(there: There): Promise<Put | { readonly problem: string }> {
  const answer = await there.send('DELETE', '', { body: deleteOptions(0) });
  if (answer.code === 404) return 'gone';
  if (answer.code >= 400 && answer.code !== 409) return { problem: messageIn(answer.text).trim() };
  // It is there until somebody has emptied it; in the recording it was.
  if (there.treated === 'namespaces') await finalize(there);
  return 'removed';
}

async function finalize({ send }: There): Promise<ServerAnswer> {
  const current = await send('GET');
  if (current.code >= 400) return current;
  const namespace = objectIn(current.text);
  const spec = isJsonObject(namespace['spec']) ? namespace['spec'] : {};
  return send('PUT', '/finalize', { body: { ...namespace, spec: { ...spec, finalizers: [] } } });
}

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

/** What is changed: a ResourcePatch names its resource, an event of a watch its kind. */
export interface ChangeTarget {
  readonly group: string;
  readonly version: string;
  readonly resource?: string;
  readonly kind?: string;
  /** '' for what is in none. */
  readonly namespace: string;
  readonly name: string;
}

/** One change of a recording: `at` is how many milliseconds of the recording had passed. */
export type Change = { readonly at: number; readonly target: ChangeTarget } & ChangeAct;

type ChangeAct =
  /** As it was after the change, whether or not it was there before. */
  | { readonly act: 'put'; readonly object: KubernetesObject }
  /** A strategic merge patch of all that changed, status and metadata of the server included. */
  | { readonly act: 'patch'; readonly patch: JsonObject }
  | { readonly act: 'remove' };

/** What a recording consists of: the objects that were there when it began, then the changes. */
export type Recorded =
  | { readonly type: 'object'; readonly object: KubernetesObject }
  | { readonly type: 'change'; readonly change: Change };
