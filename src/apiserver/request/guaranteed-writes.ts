import { type KubernetesObject, metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { semanticEqual } from '../../machinery/meta/semantic-equal.ts';
import { failure, type Status } from '../../machinery/meta/status.ts';
import type { StoreKey, StoredObject } from '../storage/storage.ts';
import { type Current, type Exchange, lateRefusal } from './exchange.ts';
import type { CollectionItem } from './journal.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { runStages, type Stage } from './stage.ts';

/**
 * Completes or reverts allocations of an attempt. Follows apiserver pkg/registry/generic/registry/store.go
 * finishCreate and finishUpdate.
 */
async function runAttempt<T extends Result<unknown> | 'again'>(
  exchange: Exchange,
  attempt: () => Promise<T>,
): Promise<T> {
  const { progress } = exchange;
  let stored = false;
  try {
    const result = await attempt();
    stored = result !== 'again' && result.ok;
    return result;
  } finally {
    const { begun } = progress;
    progress.begun = undefined;
    await begun?.finish(stored);
  }
}

// The retry loops of all writes; stages implement one attempt.

const maxNameGenerationAttempts = 8;

/**
 * Retries with another generated name, with validation and validating admission. Follows apiserver store.go
 * createWithGenerateNameRetry (rule PATH-9).
 */
export async function createWithNameRetry(exchange: Exchange, stages: readonly Stage[]): Promise<Result<Exchange>> {
  const { name = '', generateName = '' } = exchange.object?.metadata ?? {};
  const generates = name === '' && generateName !== '';
  for (let attempt = 1; ; attempt += 1) {
    const created = await runAttempt(exchange, () => runStages(stages, exchange));
    const isTaken = !created.ok && created.status.reason === 'AlreadyExists';
    if (!isTaken || !generates || attempt === maxNameGenerationAttempts) return created;
    exchange.journal.item({ again: 'name-taken' });
  }
}

interface Write {
  readonly key: StoreKey;
  /** A dry run never retries. */
  readonly dryRun: boolean;
  /** Of a deletecollection: the object. */
  readonly item?: CollectionItem | undefined;
  /** null when nothing is stored. */
  readonly load: () => Promise<Result<Current | null>>;
}

export interface GuaranteedUpdate<T> extends Write {
  /** Creates the new object, with admission. */
  readonly attempt: (current: Current | null) => Promise<Attempt<T>>;
}

export type Attempt<T> =
  | {
      readonly outcome: 'write';
      /** In the storage version, with the expected resourceVersion. */
      readonly object: KubernetesObject;
      readonly result: (stored: StoredObject) => Promise<Result<T>>;
    }
  /** Ends without a write. */
  | { readonly outcome: 'end'; readonly value: T }
  | { readonly outcome: 'refused'; readonly status: Status };

/** `again`: the object has changed. */
type Round<T> = Result<T> | 'again';

/**
 * The first read counts as cached: a refusal or an unchanged object is the response only if it is still stored. Later
 * reads are current. Follows etcd3 GuaranteedUpdate (rule PATH-23).
 */
export async function guaranteedUpdate<T>(
  deps: HandlerDeps,
  exchange: Exchange,
  update: GuaranteedUpdate<T>,
): Promise<Result<T>> {
  let isCached = isReadFromCache(update);
  let current = await update.load();
  for (;;) {
    if (!current.ok) return current;
    const from = { current: current.value, isCached: isCached && current.value !== null };
    const round = await runAttempt(exchange, () => tryUpdate(deps, exchange, update, from));
    if (round !== 'again') return round;
    const refusal = retryRefusal(exchange);
    if (refusal) return refuse(refusal);
    isCached = false;
    current = await loadAgain(exchange, update, current.value);
  }
}

interface From {
  readonly current: Current | null;
  readonly isCached: boolean;
}

async function tryUpdate<T>(
  deps: HandlerDeps,
  exchange: Exchange,
  update: GuaranteedUpdate<T>,
  { current, isCached }: From,
): Promise<Round<T>> {
  const attempt = await update.attempt(current);
  if (attempt.outcome !== 'write') {
    const ended = attempt.outcome === 'end' ? ok(attempt.value) : refuse(attempt.status);
    return !isCached || (await isUnchanged(deps, update.key, current)) ? ended : 'again';
  }
  const startedAt = exchange.journal.now();
  const stored = await store(deps, update.key, attempt.object, { current, isCached });
  const result = stored === 'again' ? stored : await attempt.result(stored);
  const isDone = result !== 'again' && result.ok;
  exchange.journal.stage('persist', startedAt, exchange.journal.now(), isDone);
  return result;
}

/** Unchanged objects are not written, unless their stored form is outdated. */
async function store(
  { storage }: HandlerDeps,
  key: StoreKey,
  object: KubernetesObject,
  { current, isCached }: From,
): Promise<StoredObject | 'again'> {
  if (current === null) {
    const created = await storage.create(key, object);
    return created.outcome === 'stored' ? created.stored : 'again';
  }
  if (isSame(object, current)) {
    const latest = isCached ? await storage.read(key) : current;
    if (!latest || !isSame(object, latest)) return 'again';
    if (latest.stale !== true) return latest;
  }
  const updated = await storage.update(key, object, current.revision);
  return updated.outcome === 'stored' ? updated.stored : 'again';
}

function isSame(object: KubernetesObject, { object: stored }: StoredObject): boolean {
  const { resourceVersion } = metadataOf(stored);
  const next =
    metadataOf(object).resourceVersion === resourceVersion ? object : withMetadata(object, { resourceVersion });
  return semanticEqual(next, stored);
}

export interface GuaranteedDelete extends Write {
  /** Preconditions and admission. */
  readonly check: (current: Current) => Promise<Status | undefined>;
}

/** null when nothing is stored. Follows etcd3 conditionalDelete. */
export async function guaranteedDelete(
  deps: HandlerDeps,
  exchange: Exchange,
  deletion: GuaranteedDelete,
): Promise<Result<Current | null>> {
  let isCached = isReadFromCache(deletion);
  let current = await deletion.load();
  for (;;) {
    if (!current.ok || current.value === null) return current;
    const round = await tryDelete(deps, deletion, { current: current.value, isCached });
    if (round !== 'again') return round;
    const refusal = retryRefusal(exchange);
    if (refusal) return refuse(refusal);
    isCached = false;
    current = await loadAgain(exchange, deletion, current.value);
  }
}

async function tryDelete(
  deps: HandlerDeps,
  { key, check, dryRun }: GuaranteedDelete,
  { current, isCached }: { readonly current: Current; readonly isCached: boolean },
): Promise<Round<Current>> {
  const refusal = await check(current);
  if (refusal) return !isCached || (await isUnchanged(deps, key, current)) ? refuse(refusal) : 'again';
  if (dryRun) return ok(current);
  const removed = await deps.storage.remove(key, current.revision);
  return removed.outcome === 'stored' ? ok(current) : 'again';
}

/** Events have no watch cache. Follows kubernetes cmd/kube-apiserver/app/options (watch-cache-sizes). */
const isReadFromCache = ({ key: { resource }, dryRun }: Write): boolean =>
  !dryRun && (resource.group !== '' || resource.resource !== 'events');

async function isUnchanged({ storage }: HandlerDeps, key: StoreKey, current: Current | null): Promise<boolean> {
  const latest = await storage.read(key);
  return latest?.revision === current?.revision;
}

/** Reads the current object and records the concurrent write. */
async function loadAgain(
  { journal }: Exchange,
  { load, item }: Write,
  before: Current | null,
): Promise<Result<Current | null>> {
  journal.item({ ...item, again: 'another-write' });
  const after = await load();
  const isThere = after.ok && after.value !== null;
  journal.concurrentWrite(before === null ? 'created' : isThere ? 'updated' : 'deleted');
  return after;
}

/** The deadline passed, or the client is gone. */
function retryRefusal(exchange: Exchange): Status | undefined {
  return exchange.request.signal().aborted ? clientGone : lateRefusal(exchange);
}

const clientGone: Status = failure({ code: 409, reason: 'Conflict', message: 'another write came first' });
