import { setTimeout as sleep } from 'node:timers/promises';
import { asObject, asString, type JsonObject, valueAt, withValue } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { type KubernetesObject, metadataOf, withoutServerMetadata } from '../../../machinery/meta/object.ts';
import {
  callServer,
  messageIn,
  objectIn,
  type ServerAccess,
  type ServerAnswer,
} from '../../../adapters/config/kubeconfig/call-server.ts';
import type { DiscoveredResource } from '../../../adapters/config/kubeconfig/discovery.ts';
import { collectionPath } from '../../../machinery/meta/gvk.ts';

export interface WriteContext {
  readonly row: DiscoveredResource;
  readonly access: ServerAccess;
  /** New uids by those of the snapshot. */
  readonly uids: Map<string, string>;
}

/** A definition is served a moment after it was written, and controllers write at the same time. */
export const maxTries = 20;
export const retryDelayMs = 250;

/**
 * Creates or replaces an object of another server, and writes its status separately where it has that subresource. A string is the server's
 * refusal.
 */
export async function writeObject(
  object: KubernetesObject,
  { row, access, uids }: WriteContext,
): Promise<{ readonly outcome: 'created' | 'replaced' } | string> {
  const body = toNewObject(object, uids);
  const collection = collectionPath(row, metadataOf(object).namespace);
  const path = `${collection}/${encodeURIComponent(metadataOf(object).name ?? '')}`;
  const send = (method: 'POST' | 'PUT', to: string, sent: JsonObject): Promise<ServerAnswer> =>
    callServer(access, {
      method,
      path: `${to}?fieldManager=kadmit-restore`,
      contentType: 'application/json',
      body: writeJson(sent),
    });
  let answer = await send('POST', collection, body);
  let outcome: 'created' | 'replaced' = 'created';
  for (let tries = 0; isRetryable(answer) && tries < maxTries; tries += 1) {
    if (answer.code === 409) {
      const current = objectIn((await callServer(access, { method: 'GET', path })).text);
      answer = await send('PUT', path, withRevision(body, current));
      outcome = 'replaced';
    } else {
      await sleep(retryDelayMs);
      answer = await send('POST', collection, body);
    }
  }
  if (answer.code >= 400) return messageIn(answer.text).trim();
  const stored = objectIn(answer.text);
  uids.set(metadataOf(object).uid ?? '', asString(valueAt(stored, 'metadata', 'uid')));
  if (row.hasStatus && object['status'] !== undefined) {
    const written = await send('PUT', `${path}/status`, { ...withRevision(body, stored), status: object['status'] });
    // A controller wrote first: its status is newer.
    if (written.code >= 400 && written.code !== 409) return `its status is refused: ${messageIn(written.text).trim()}`;
  }
  return { outcome };
}

/** The object exists, was changed meanwhile, or its kind is not served yet. */
const isRetryable = ({ code, text }: ServerAnswer): boolean =>
  code === 409 || (code === 404 && !text.startsWith('{')) || code === 429;

const withRevision = (body: JsonObject, current: JsonObject): JsonObject => ({
  ...body,
  metadata: { ...asObject(body['metadata']), resourceVersion: valueAt(current, 'metadata', 'resourceVersion') },
});

/** Without server metadata; owners get their new uids. */
function toNewObject(object: KubernetesObject, uids: ReadonlyMap<string, string>): JsonObject {
  const owners = metadataOf(object).ownerReferences?.flatMap((owner) => {
    const uid = uids.get(owner.uid);
    return uid === undefined ? [] : [{ ...owner, uid }];
  });
  const bare: JsonObject = withoutServerMetadata(withNewJobUid(object, uids));
  return owners ? { ...bare, metadata: { ...asObject(bare['metadata']), ownerReferences: owners } } : bare;
}

/** The server generates the selector of a Job from its uid; Pods have it as a label. */
function withNewJobUid(object: KubernetesObject, uids: ReadonlyMap<string, string>): KubernetesObject {
  if (object.kind === 'Pod') return withValue(object, ['metadata', 'labels'], relabel(object, uids, 'metadata'));
  if (object.kind !== 'Job' || valueAt(object, 'spec', 'manualSelector') === true) return object;
  const bare = withValue(object, ['spec', 'selector'], undefined);
  return withValue(
    bare,
    ['spec', 'template', 'metadata', 'labels'],
    relabel(bare, new Map(), 'spec', 'template', 'metadata'),
  );
}

/** Labels with a Job's uid get the new uid, or are dropped. */
function relabel(
  object: KubernetesObject,
  uids: ReadonlyMap<string, string>,
  ...path: readonly string[]
): JsonObject | undefined {
  const labels = valueAt(object, ...path, 'labels');
  if (labels === undefined) return undefined;
  const kept = Object.entries(asObject(labels)).flatMap(([name, value]) => {
    const shown = name.endsWith('controller-uid') ? uids.get(asString(value)) : value;
    return shown === undefined ? [] : [[name, shown] as const];
  });
  return Object.fromEntries(kept);
}

/** `Pod shop/web`. */
export const objectTitle = (object: KubernetesObject): string => {
  const { name = '', namespace } = metadataOf(object);
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
};
