import { asList, asObject, isJsonObject, type JsonObject, valueAt, withValue } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest, conflict, failure, notFound, plainError } from '../../../machinery/meta/status.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { type DecodedDeleteOptions, decodeDeleteOptions } from '../delete-options.ts';
import { preconditionProblem } from '../deletion.ts';
import { canIgnorePDB, decideEviction, stillProcessed } from '../disruption-budget.ts';
import { withResponse, withParts, type Current, type Exchange, requirePart, lateRefusal } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { objectOf } from './decode-body.ts';
import { removeOne } from './delete-object.ts';
import { storeKeyOf, readCurrent } from './load-current.ts';

/**
 * Sets the condition DisruptionTarget; returns the options for deleting the stored result. Follows kubernetes
 * pkg/registry/core/pod/storage/eviction.go addConditionAndDeletePod.
 */
async function markDisrupted(
  deps: HandlerDeps,
  exchange: Exchange,
  options: DecodedDeleteOptions,
): Promise<Result<DecodedDeleteOptions>> {
  const target = requirePart(exchange.target, 'target');
  const key = storeKeyOf(target, target.info.name);
  for (;;) {
    const stored = await deps.storage.read(key);
    if (!stored) return refuse(notFound(target.resource, target.info.name));
    const { object, revision } = stored;
    const { uid, resourceVersion: version } = options.preconditions ?? {};
    // An empty precondition counts as absent here.
    const problem = preconditionProblem({ uid: uid || undefined, resourceVersion: version || undefined }, object);
    if (problem !== undefined) return refuse(conflict(pod, target.info.name, problem));
    const written = await deps.storage.update(key, withCondition(object, deps.clock.now()), revision);
    if (written.outcome !== 'stored') {
      const late = lateRefusal(exchange);
      if (late) return refuse(late);
      continue;
    }
    if (options.preconditions?.resourceVersion === undefined) return ok(options);
    const resourceVersion = String(written.stored.revision);
    return ok({ ...options, preconditions: { ...options.preconditions, resourceVersion } });
  }
}

const pod = { group: '', resource: 'Pod' };

function withCondition(object: KubernetesObject, now: number): KubernetesObject {
  const conditions = asList(valueAt(object, 'status', 'conditions')).map(asObject);
  const disruption = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const before = conditions.find(({ type }) => type === disruption.type);
  const lastTransitionTime = before?.['status'] === 'True' ? (before['lastTransitionTime'] ?? null) : formatTime(now);
  const { reason, message, ...head } = disruption;
  const condition: JsonObject = { ...head, lastProbeTime: null, lastTransitionTime, reason, message };
  const next = before ? conditions.map((one) => (one === before ? condition : one)) : [...conditions, condition];
  return withValue(object, ['status', 'conditions'], next);
}

/** The Eviction must name the pod of the URL; runs before validating admission. */
export const checkEviction: Stage = {
  name: 'check-eviction',
  run: async (exchange) => {
    const { name = '' } = metadataOf(objectOf(exchange));
    if (name !== requirePart(exchange.target, 'target').info.name) {
      return refuse(badRequest('name in URL does not match name in Eviction object'));
    }
    const options = evictionOptions(exchange);
    return options.ok ? ok(withDryRun(exchange)) : options;
  },
};

/** The query's dryRun is copied into the Eviction's options. */
function withDryRun(exchange: Exchange): Exchange {
  const object = objectOf(exchange);
  const deleteOptions = valueAt(object, 'deleteOptions');
  const { dryRun } = exchange.options;
  if (!isJsonObject(deleteOptions) || dryRun.length === 0) return exchange;
  return withParts(exchange, { object: { ...object, deleteOptions: { ...deleteOptions, dryRun: [...dryRun] } } });
}

/** A dry run if the Eviction or the query has one (rule DRY-9). */
function evictionOptions(exchange: Exchange): Result<DecodedDeleteOptions> {
  const given = valueAt(objectOf(exchange), 'deleteOptions');
  const options = decodeDeleteOptions(isJsonObject(given) ? given : {});
  const requested = exchange.options.dryRun;
  if (options.dryRun.length === 0) return ok({ ...options, dryRun: requested });
  if (requested.length === 0 || requested.join() === options.dryRun.join()) return ok(options);
  const [query, content] = [requested, options.dryRun].map((values) => `[${values.join(' ')}]`);
  return refuse(plainError(`Non-matching dry-run options in request and content: ${query} and ${content}`));
}

/** Follows kubernetes pkg/registry/core/pod/storage/eviction.go. */
export const evict = (deps: HandlerDeps): Stage => ({
  name: 'evict',
  run: async (exchange) => {
    for (;;) {
      const evicted = await tryEvict(deps, exchange);
      if (evicted !== 'again') return evicted;
      const late = lateRefusal(exchange);
      if (late) return refuse(late);
    }
  },
});

/** `again`: another write changed the pod or its budget. */
type Round = Result<Exchange> | 'again';

async function tryEvict(deps: HandlerDeps, exchange: Exchange): Promise<Round> {
  const target = requirePart(exchange.target, 'target');
  const pod = await readCurrent(deps, target);
  if (!pod.ok) return pod;
  if (!pod.value) return refuse(notFound(target.resource, target.info.name));
  const options = evictionOptions(exchange);
  if (!options.ok) return options;
  const eviction = { pod: pod.value, options: options.value };
  return canIgnorePDB(pod.value.object)
    ? evictEnded(deps, exchange, eviction)
    : evictWithinBudget(deps, exchange, eviction);
}

interface Eviction {
  readonly pod: Current;
  readonly options: DecodedDeleteOptions;
}

/** A pending pod may have become ready: check again. */
async function evictEnded(deps: HandlerDeps, exchange: Exchange, { pod, options }: Eviction): Promise<Round> {
  const isPending = valueAt(pod.object, 'status', 'phase') === 'Pending';
  const mayChange = isPending && metadataOf(pod.object).deletionTimestamp === undefined;
  if (!mayChange || options.preconditions?.resourceVersion !== undefined || isOfAnother(options, pod.object)) {
    return remove(deps, exchange, options);
  }
  const removed = await remove(deps, exchange, requireUnchanged(options, pod.object));
  return !removed.ok && removed.status.reason === 'Conflict' ? 'again' : removed;
}

/** A wrong uid never matches; upstream retries twenty times. */
function isOfAnother({ preconditions }: DecodedDeleteOptions, pod: KubernetesObject): boolean {
  const uid = preconditions?.uid ?? '';
  return uid !== '' && uid !== metadataOf(pod).uid;
}

async function evictWithinBudget(deps: HandlerDeps, exchange: Exchange, { pod, options }: Eviction): Promise<Round> {
  const { namespace = '' } = metadataOf(pod.object);
  const budgets = deps.cluster.list(budgetResource, namespace);
  const decision = decideEviction(pod.object, budgets, { now: deps.clock.now(), minor: deps.release.minor });
  switch (decision.verdict) {
    case 'free':
      return remove(deps, exchange, options);
    case 'refused':
      return refuse(decision.status);
    case 'several':
      return refuse(moreThanOne);
    case 'unhealthy':
      return evictUnhealthy(deps, exchange, { pod, options }, decision.budget);
    case 'charged':
      return (await storeBudget(deps, findPreviousBudget(decision.next, budgets), { next: decision.next, options }))
        ? remove(deps, exchange, options)
        : 'again';
  }
}

/** A pod that became ready is refused; the client may retry. */
async function evictUnhealthy(
  deps: HandlerDeps,
  exchange: Exchange,
  { pod, options }: Eviction,
  budget: KubernetesObject,
): Promise<Result<Exchange>> {
  const removed = await remove(deps, exchange, requireUnchanged(options, pod.object));
  if (removed.ok || removed.status.reason !== 'Conflict') return removed;
  return options.preconditions?.resourceVersion === undefined ? refuse(stillProcessed(budget)) : removed;
}

const findPreviousBudget = (next: KubernetesObject, budgets: readonly KubernetesObject[]): KubernetesObject =>
  budgets.find((budget) => metadataOf(budget).uid === metadataOf(next).uid) ?? next;

const budgetResource = { group: 'policy', resource: 'poddisruptionbudgets' };

/** False after a conflict. The server writes it, not the user. */
async function storeBudget(
  { storage, fields, clock }: HandlerDeps,
  live: KubernetesObject,
  { next, options }: { readonly next: KubernetesObject; readonly options: DecodedDeleteOptions },
): Promise<boolean> {
  if (options.dryRun.length > 0) return true;
  const { name = '', namespace = '', resourceVersion } = metadataOf(next);
  const key = { resource: budgetResource, namespace, name };
  const write = { live, object: next, manager: 'kube-apiserver', subresource: 'status', now: clock.now() };
  const written = await fields.update(write);
  return (await storage.update(key, written, Number(resourceVersion))).outcome === 'stored';
}

/** Requires the pod as it was checked. */
const requireUnchanged = (options: DecodedDeleteOptions, pod: KubernetesObject): DecodedDeleteOptions => ({
  ...options,
  preconditions: { ...options.preconditions, resourceVersion: metadataOf(pod).resourceVersion ?? '' },
});

async function remove(deps: HandlerDeps, exchange: Exchange, options: DecodedDeleteOptions): Promise<Result<Exchange>> {
  const target = requirePart(exchange.target, 'target');
  const { name } = target.info;
  const pods = deps.strategyFor({ group: '', resource: 'pods' });
  const marked = options.dryRun.length > 0 ? ok(options) : await markDisrupted(deps, exchange, options);
  if (!marked.ok) return marked;
  const deletion = { options: marked.value, name, admittedName: name, skipsAdmission: true };
  const removed = await removeOne(deps, withParts(exchange, { target: { ...target, strategy: pods } }), deletion);
  return removed.ok ? ok(withResponse(exchange, 201, created)) : removed;
}

const created = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

const moreThanOne = failure({
  code: 500,
  message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
});
