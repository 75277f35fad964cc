import { isCustomRow } from '../../custom/custom-row.ts';
import type { Converted } from '../../schema/codec/codec.ts';
import { whenKnown } from '../../apimachinery/eventually.ts';
import type { Eventually } from '../../apimachinery/eventually.ts';
import { keepSpare } from '../../apimachinery/copy-in-turns.ts';
import { inTurns } from '../../apimachinery/in-turns.ts';
import { parseUint64 } from '../../apimachinery/parse-integer.ts';
import { semanticEqual } from '../../apimachinery/semantic-equal.ts';
import { metadataOf, withMetadata } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { alreadyExists, plainError } from '../../apimachinery/status.ts';
import { asList, valueAt } from '../../apimachinery/json.ts';
import type { StoreKey } from '../../store/storage.ts';
import { answered, held } from '../exchange.ts';
import type { Current, Exchange } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';
import { isDryRun } from '../write-options.ts';
import { objectOf } from './decode-body.ts';
import { keyOf, resultOf, storedAs } from './load-current.ts';
import { beginPorts } from './prepare-for-storage.ts';
import { isFarBelow, tooLarge } from '../stored-size.ts';
import { isApplyPatch } from './read-options.ts';
import { lostRace } from './until-stored.ts';

/** Writes the object, unless it is a dry run or nothing changed, and answers with what is stored then. */
export const persist = (rooms: Rooms): Stage => ({
  name: 'persist',
  run: (exchange) => (exchange.current ? replace(rooms, exchange, exchange.current) : create(rooms, exchange)),
});

const create = (rooms: Rooms, exchange: Exchange): Eventually<Result<Exchange>> =>
  whenKnown(storageForm(exchange), (object) => (object.ok ? createAs(rooms, exchange, object.value) : object));

async function createAs(rooms: Rooms, exchange: Exchange, object: KubernetesObject): Promise<Result<Exchange>> {
  const target = held(exchange.target, 'target');
  const { name = '', resourceVersion = '' } = metadataOf(object);
  const isCreate = target.info.verb === 'create';
  const key = keyOf(target, name);
  if (isDryRun(exchange.options)) {
    const existing = await rooms.storage.read(key);
    if (existing) return refuse(exists(exchange, key, existing.object));
    // Only what is stored must not have one. Follows apiserver pkg/registry/generic/registry/dryrun.go.
    return answerWith(exchange, object, 201);
  }
  if (isCreate && resourceVersion !== '' && isVersion(resourceVersion))
    return refuse(plainError('resourceVersion should not be set on objects to be created'));
  const measuring = fittingForm(rooms, exchange, withoutSelfLink(object));
  const fitting = measuring instanceof Promise ? await measuring : measuring;
  if (!fitting.ok) return fitting;
  const keeping = inTurns(() => keepSpare(fitting.value), exchange.request.pause);
  if (keeping instanceof Promise) await keeping;
  const written = await rooms.storage.create(key, fitting.value);
  if (written.outcome === 'exists') return refuse(exists(exchange, key, written.stored.object));
  warnOfNothingMore(rooms, exchange);
  return answerWith(exchange, written.stored.object, 201);
}

/** What is no number of 64 bits is passed over. Follows apiserver pkg/storage/etcd3/store.go Create. */
function isVersion(text: string): boolean {
  const read = parseUint64(text);
  return read.outcome === 'parsed' && read.value > 0;
}

/** A client may wait for something that nobody here will do. */
function warnOfNothingMore({ storedOnly }: Rooms, { target, journal }: Exchange): void {
  const warning = target ? storedOnly?.(target.resource) : undefined;
  if (warning !== undefined) journal.warn(warning);
}

function exists(exchange: Exchange, { name }: StoreKey, existing: KubernetesObject): ReturnType<typeof alreadyExists> {
  const status = alreadyExists(held(exchange.target, 'target').resource, name);
  if (metadataOf(existing).deletionTimestamp === undefined) return status;
  return { ...status, message: `object is being deleted: ${status.message}` };
}

async function replace(rooms: Rooms, exchange: Exchange, current: Current): Promise<Result<Exchange>> {
  const forming = storageForm(exchange);
  const object = forming instanceof Promise ? await forming : forming;
  if (!object.ok) return object;
  const dryRun = isDryRun(exchange.options);
  const written = dryRun ? object.value : withoutSelfLink(object.value);
  const { resourceVersion } = metadataOf(current.object);
  const { pause } = exchange.request;
  const next = await inTurns(() => withMetadata(written, { resourceVersion }), pause);
  const target = held(exchange.target, 'target');
  const key = keyOf(target, target.info.name);
  if (isGone(next)) {
    // The last finalizer is off an object that was being deleted: the update removes it (rule PATH-26).
    const isRemoved = dryRun || (await remove(rooms, exchange, current));
    return isRemoved ? answerWith(exchange, next, 200) : refuse(lostRace);
  }
  // What is stored in a way that is no longer wanted is written again. Follows apiserver pkg/storage/etcd3/store.go GuaranteedUpdate.
  const isSame = current.stale !== true && (await inTurns(() => semanticEqual(next, current.object), pause));
  if (dryRun || isSame) return answerWith(exchange, next, 200);
  const fitting = await fittingForm(rooms, exchange, next);
  if (!fitting.ok) return fitting;
  await inTurns(() => keepSpare(fitting.value), pause);
  const update = await rooms.storage.update(key, fitting.value, current.revision);
  if (update.outcome !== 'stored') return refuse(lostRace);
  return answerWith(exchange, update.stored.object, 200);
}

/** Not when another write came first. */
async function remove(rooms: Rooms, exchange: Exchange, { object, revision }: Current): Promise<boolean> {
  const target = held(exchange.target, 'target');
  const removed = await rooms.storage.remove(keyOf(target, target.info.name), revision);
  if (removed.outcome === 'conflict') return false;
  await target.strategy.afterDelete?.(object, beginPorts(rooms, exchange));
  return true;
}

/** Whoever set one, it is not stored. Follows apiserver pkg/storage/api_object_versioner.go PrepareObjectForStorage. */
const withoutSelfLink = (object: KubernetesObject): KubernetesObject =>
  metadataOf(object)['selfLink'] === undefined ? object : withMetadata(object, { selfLink: undefined });

/** Nothing holds an object that is being deleted any longer. Follows apiserver pkg/registry/generic/registry/store.go deleteWithoutFinalizers. */
function isGone(object: KubernetesObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadataOf(object);
  if (deletionTimestamp === undefined || finalizers.length > 0 || deletionGracePeriodSeconds !== 0) return false;
  return object.kind !== 'Namespace' || asList(valueAt(object, 'spec', 'finalizers')).length === 0;
}

/**
 * The object, if it is not too large to be stored; without its managers if only they make it so, which does not help an
 * apply. Follows apiserver pkg/endpoints/handlers/{create,update,patch}.go isTooLargeError.
 */
function fittingForm(rooms: Rooms, exchange: Exchange, object: KubernetesObject): Eventually<Result<KubernetesObject>> {
  return isFarBelow(object) ? ok(object) : smallForm(rooms, exchange, object);
}

async function smallForm(
  rooms: Rooms,
  exchange: Exchange,
  object: KubernetesObject,
): Promise<Result<KubernetesObject>> {
  const { pause } = exchange.request;
  const refusal = await tooLarge(rooms.release, object, pause);
  if (!refusal) return ok(object);
  if (isApplyPatch(exchange)) return refuse(refusal);
  const bare = await inTurns(() => withMetadata(object, { managedFields: undefined }), pause);
  const stillTooLarge = await tooLarge(rooms.release, bare, pause);
  return stillTooLarge ? refuse(stillTooLarge) : ok(bare);
}

function storageForm(exchange: Exchange): Eventually<Result<KubernetesObject>> {
  const { resource, codec } = held(exchange.target, 'target');
  const dryRun = isDryRun(exchange.options);
  const stored = (): Eventually<Converted> => codec.toStorage(objectOf(exchange), resource.storage, { dryRun });
  // Another converter than ours is asked once.
  if (isCustomRow(resource)) return whenKnown(stored(), resultOf);
  return whenKnown(inTurns(stored, exchange.request.pause), (converted) => whenKnown(converted, resultOf));
}

/** The stored object, in the version of the request, as the answer. */
export const answerWith = (exchange: Exchange, stored: KubernetesObject, code: number): Eventually<Result<Exchange>> =>
  whenKnown(storedAs(held(exchange.target, 'target'), stored), (shown) =>
    shown.ok ? ok(answered(exchange, code, shown.value, shown.value)) : shown,
  );
