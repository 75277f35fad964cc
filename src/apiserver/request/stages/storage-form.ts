import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { answered, held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import { isFarBelow, tooLarge } from '../stored-size.ts';
import { isDryRun } from '../write-options.ts';
import { objectOf } from './decode-body.ts';
import { resultOf, storedAs } from './load-current.ts';
import { isApplyPatch } from './read-options.ts';

/** The object of an exchange as it is stored. */
export async function storageForm(exchange: Exchange): Promise<Result<KubernetesObject>> {
  const { resource, codec } = held(exchange.target, 'target');
  const dryRun = isDryRun(exchange.options);
  return resultOf(await codec.toStorage(objectOf(exchange), resource.storage, { dryRun }));
}

/** A selfLink is never stored. Follows apiserver pkg/storage/api_object_versioner.go PrepareObjectForStorage. */
export const withoutSelfLink = (object: KubernetesObject): KubernetesObject =>
  metadataOf(object)['selfLink'] === undefined ? object : withMetadata(object, { selfLink: undefined });

/**
 * The object, if it is not too large to be stored; without its managers if only they make it so, which does not help an
 * apply. Follows apiserver pkg/endpoints/handlers/{create,update,patch}.go isTooLargeError.
 */
export async function fittingForm(
  rooms: Rooms,
  exchange: Exchange,
  object: KubernetesObject,
): Promise<Result<KubernetesObject>> {
  if (isFarBelow(object)) return ok(object);
  const refusal = await tooLarge(rooms.release, object);
  if (!refusal) return ok(object);
  if (isApplyPatch(exchange)) return refuse(refusal);
  const bare = withMetadata(object, { managedFields: undefined });
  const stillTooLarge = await tooLarge(rooms.release, bare);
  return stillTooLarge ? refuse(stillTooLarge) : ok(bare);
}

/** A client may wait for something that no controller here does. */
export function warnOfStoredOnly({ storedOnly }: Rooms, { target, journal }: Exchange): void {
  const warning = target ? storedOnly?.(target.resource) : undefined;
  if (warning !== undefined) journal.warn(warning);
}

/** The stored object, in the version of the request, as the answer. */
export async function answerWith(
  exchange: Exchange,
  stored: KubernetesObject,
  code: number,
): Promise<Result<Exchange>> {
  const shown = await storedAs(held(exchange.target, 'target'), stored);
  return shown.ok ? ok(answered(exchange, code, shown.value, shown.value)) : shown;
}
