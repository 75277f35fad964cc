import type { Release } from '../../../api/release/release.ts';
import { maxJsonBytes } from '../../../machinery/json/json-walk.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { byteLength } from '../../../machinery/meta/names.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { plainError, type Status } from '../../../machinery/meta/status.ts';
import { withResponse, type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { isDryRun } from '../write-options.ts';
import { objectOf } from './decode-body.ts';
import { decodeStored, toResult, convertStored } from './load-current.ts';
import { isApplyPatch } from './read-options.ts';

export async function toStorageForm(exchange: Exchange): Promise<Result<KubernetesObject>> {
  const { resource, codec } = requirePart(exchange.target, 'target');
  const dryRun = isDryRun(exchange.options);
  return toResult(await codec.toStorage(objectOf(exchange), resource.storage, { dryRun }));
}

/** Follows apiserver pkg/storage/api_object_versioner.go PrepareObjectForStorage. */
export const withoutSelfLink = (object: KubernetesObject): KubernetesObject =>
  metadataOf(object)['selfLink'] === undefined ? object : withMetadata(object, { selfLink: undefined });

/**
 * Drops managedFields if only they exceed the limit, except for an apply. Follows apiserver
 * pkg/endpoints/handlers/{create,update,patch}.go isTooLargeError.
 */
export async function fitSizeLimit(
  deps: HandlerDeps,
  exchange: Exchange,
  object: KubernetesObject,
): Promise<Result<KubernetesObject>> {
  const refusal = await checkSize(deps.release, object);
  if (!refusal) return ok(object);
  if (isApplyPatch(exchange)) return refuse(refusal);
  const bare = withMetadata(object, { managedFields: undefined });
  const stillTooLarge = await checkSize(deps.release, bare);
  return stillTooLarge ? refuse(stillTooLarge) : ok(bare);
}

/** Kinds without a controller here. */
export function warnOfStoredOnly({ storedOnly }: HandlerDeps, { target, journal }: Exchange): void {
  const warning = target ? storedOnly?.(target.resource) : undefined;
  if (warning !== undefined) journal.warn(warning);
}

export async function answerWith(
  deps: HandlerDeps,
  exchange: Exchange,
  stored: KubernetesObject,
  code: number,
): Promise<Result<Exchange>> {
  const target = requirePart(exchange.target, 'target');
  // A dry run decodes nothing from the storage.
  const shown = isDryRun(exchange.options)
    ? await convertStored(target, stored)
    : await decodeStored(deps, target, stored, 'write');
  return shown.ok ? ok(withResponse(exchange, code, shown.value, shown.value)) : shown;
}

/** Follows etcd server/embed/config.go and client/v3/options.go. */
const limits = { request: 1.5 * 1024 * 1024, message: 2 * 1024 * 1024 } as const;

/** Keys, comparisons and numbers of the transaction. */
const transactionOverheadBytes = 200;

/** Built-in kinds are stored as protobuf, others as JSON. */
async function checkSize(
  { loadProtobuf }: Pick<Release, 'loadProtobuf'>,
  object: KubernetesObject,
): Promise<Status | undefined> {
  const size = (await storedSize(loadProtobuf, object)) + transactionOverheadBytes;
  if (size <= limits.request) return undefined;
  if (size <= limits.message) return plainError('etcdserver: request is too large');
  const text = `trying to send message larger than max (${size} vs. ${limits.message})`;
  return plainError(`rpc error: code = ResourceExhausted desc = ${text}`);
}

/** Counting takes a third of the time of writing, and most objects are far below the limits. */
async function storedSize(loadProtobuf: Release['loadProtobuf'], object: KubernetesObject): Promise<number> {
  const most = maxJsonBytes(object);
  if (most + transactionOverheadBytes <= limits.request) return most;
  const json = byteLength(writeJson(object));
  if (json + transactionOverheadBytes <= limits.request) return json;
  const { canEncode, encode } = await loadProtobuf();
  return canEncode(object) ? encode(object).length : json;
}
