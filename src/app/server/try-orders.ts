import { randomUUID } from 'node:crypto';
import { createBreakpoints } from '../../adapters/breakpoints/breakpoints.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import type { Callees } from '../../analysis/trials/orders.ts';
import { collectWebhooks } from '../../apiserver/admission/webhooks/read-webhooks.ts';
import type { Storage, StoreKey } from '../../apiserver/storage/storage.ts';
import { maskSecretsIn } from '../../explain/trace/mask.ts';
import { changesBetween } from '../../explain/trace/object-diff.ts';
import type { Order, OrdersDocument, OrdersProgress, PermutedRequest } from '../../explain/trace/permuted-request.ts';
import type { TraceLog } from '../../adapters/traces/trace-log.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { type JsonObject, type JsonValue, asObject, asString, valueAt } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { type ClusterState, type ForkableClusterState, forkClusterState } from '../compose/cluster-state.ts';
import type { ApiServer } from '../compose/create-api.ts';
import { answerWithTraces, createSession } from '../compose/session.ts';
import type { ServerParts } from './api-of-config.ts';
import { clock } from './clock.ts';
import type { Observing } from './observe.ts';
import { createTracing } from './record-traces.ts';

/** A fork of the served world without observers. */
export interface OrderTrialServer {
  readonly api: ApiServer;
  readonly clusterState: ForkableClusterState;
  readonly traceOf: TraceLog['get'];
}

export interface OrdersPorts {
  readonly traceOf: TraceLog['get'];
  /** `trialOrder`: the mutating webhooks and policies to call. undefined: this storage cannot be forked. */
  readonly openTrial: (trialOrder: () => Order | undefined) => OrderTrialServer | undefined;
  /** Aborts after the time limit. */
  readonly expiry: () => AbortSignal;
}

/** The orders run one after the other, and a webhook may hang for 30 s. */
export const maxMs = 60_000;

export type OrdersAnswer =
  | { readonly outcome: 'tried'; readonly document: OrdersDocument }
  | { readonly outcome: 'refused'; readonly code: number; readonly message: string };

/** Up to `max` orders all are tried; else each pair, and random `samples`. */
const max = 48;
const samples = 16;

export interface Orders {
  readonly tried: (id: string, reveal: boolean, gone: AbortSignal) => Promise<OrdersAnswer>;
  /** Of the current or the last trial. */
  readonly progress: () => OrdersProgress;
}

/**
 * `POST /kadmit/v1/orders` of the page: repeats the request of a trace as dry runs with the present webhooks in every order,
 * without storing, tracing or counting them. Ends after a minute, or when the client disconnects (`gone`).
 */
export function createOrders(ports: OrdersPorts): Orders {
  let isBusy = false;
  let progress = notStarted;
  const tried: Orders['tried'] = async (id, reveal, gone) => {
    const trace = ports.traceOf(id);
    if (!trace) return refuseTrial(404, `no trace ${JSON.stringify(id)}: only the last writes are kept`);
    if (isBusy) return refuseTrial(429, 'the orders of another request are being tried');
    isBusy = true;
    progress = notStarted;
    const onProgress = (now: OrdersProgress): void => void (progress = now);
    const ending = new AbortController();
    const expiry = ports.expiry();
    try {
      const stopped = Promise.race([
        whenAborted(expiry, refuseTrial(504, late)),
        whenAborted(gone, refuseTrial(499, 'the client has disconnected')),
      ]);
      return await Promise.race([tryOrders({ trace, reveal, onProgress, ending: ending.signal }, ports), stopped]);
    } finally {
      ending.abort();
      isBusy = false;
    }
  };
  return { tried, progress: () => progress };
}

const notStarted: OrdersProgress = { tried: 0, orders: 0 };

const late = `not all orders were tried within ${maxMs / 1000} s: a webhook is slow; kadmit order has no limit`;

const whenAborted = (signal: AbortSignal, answer: OrdersAnswer): Promise<OrdersAnswer> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(answer);
    signal.addEventListener('abort', () => resolve(answer), { once: true });
  });

interface Trying {
  readonly trace: Trace;
  readonly reveal: boolean;
  readonly onProgress: (progress: OrdersProgress) => void;
  readonly ending: AbortSignal;
}

const refuseTrial = (code: number, message: string): OrdersAnswer => ({ outcome: 'refused', code, message });

async function tryOrders(
  { trace, reveal, onProgress, ending }: Trying,
  { openTrial }: OrdersPorts,
): Promise<OrdersAnswer> {
  const [{ tracedRequest }, { permuteRequest }] = await Promise.all([
    import('../../analysis/trials/traced-request.ts'),
    import('../../analysis/trials/permute-request.ts'),
  ]);
  const repeated = tracedRequest({ ...trace, request: { ...trace.request, dryRun: false } });
  if (typeof repeated === 'string') return refuseTrial(400, `it cannot be sent again: ${repeated}`);
  if (trace.request.verb === 'delete') return refuseTrial(400, 'mutating webhooks do not change deletions');
  let trialOrder: Order | undefined;
  const trial = openTrial(() => trialOrder);
  if (!trial) return refuseTrial(400, 'orders can be tried only with objects in memory: without --data-dir and etcd');
  const { api, clusterState, traceOf } = trial;
  await api.ready();
  await revertWrite(clusterState.storage, trace);
  const { send } = createSession(() => clusterState.catalogue, {
    answer: answerWithTraces(api.handle, traceOf),
    clock,
    newAuditId: randomUUID,
    drive: (work) => work,
    ending,
  });
  const permuted = await permuteRequest({
    attempt: (order) => {
      trialOrder = order;
      return send(repeated.request);
    },
    callees: storedCallees(clusterState),
    stubbed: new Set(),
    samples,
    seed: 1,
    max,
    onProgress,
  });
  return { outcome: 'tried', document: toOrdersDocument(permuted, reveal) };
}

const kind = { group: 'admissionregistration.k8s.io', resource: 'mutatingwebhookconfigurations' };

const storedCallees = ({ cluster }: ForkableClusterState): Callees =>
  new Map(
    collectWebhooks(cluster.list(kind)).map(({ configuration, name, reinvocationPolicy }) => {
      const uid = `${configuration}/${name}`;
      return [uid, { uid, reinvocationPolicy }] as const;
    }),
  );

/** Without traces, with masked Secrets. */
function toOrdersDocument({ results, pairs, ...rest }: Omit<PermutedRequest, 'name'>, reveal: boolean): OrdersDocument {
  const shown = results.map(({ trace: _trace, ...result }) => {
    const { object, message } = reveal ? result : maskObject({ object: result.object, message: result.message });
    return { ...result, object: asObject(object), message: asString(message) };
  });
  return {
    ...rest,
    results: shown,
    pairs: pairs.map((pair) => {
      const [one, other] = pair.results.map((at) => shown[at]?.object);
      return { ...pair, changes: pair.changes.length === 0 ? [] : changesBetween(one, other) };
    }),
  };
}

const maskObject = (value: JsonValue): JsonObject => asObject(maskSecretsIn(value));

/** Restores the object before a write, so that the write can be repeated; not if its version has changed. */
export async function revertWrite(storage: Storage, { request, objectBefore, objectAfter }: Trace): Promise<void> {
  const { group, resource, namespace } = request;
  const isNamespace = group === '' && resource === 'namespaces';
  const key: StoreKey = {
    resource: { group, resource },
    namespace: isNamespace ? '' : namespace,
    name: request.name === '' ? nameOf(objectAfter) : request.name,
  };
  const now = await storage.read(key);
  if (objectBefore === null) {
    if (now && request.subresource === '') await storage.remove(key, now.revision);
    return;
  }
  const { apiVersion, kind } = objectBefore;
  const before: KubernetesObject = { ...objectBefore, apiVersion: asString(apiVersion), kind: asString(kind) };
  if (!now) await storage.create(key, before);
  else if (now.object['apiVersion'] === before['apiVersion']) await storage.update(key, before, now.revision);
}

const nameOf = (object: Trace['objectAfter']): string => asString(valueAt(object ?? undefined, 'metadata', 'name'));

export interface TrialParts {
  readonly clusterState: () => ClusterState | ForkableClusterState;
  readonly openApi: (clusterState: ClusterState, more: Partial<ServerParts>) => ApiServer;
  readonly observing: Observing;
  readonly log: Log;
}

/** Opens forks of the served world without controllers, audit log, metrics and breakpoints. */
export const createTrialOpener =
  ({ clusterState: current, openApi, observing, log }: TrialParts): OrdersPorts['openTrial'] =>
  (mutatingOrder) => {
    const served = current();
    if (!('memory' in served)) return undefined;
    const clusterState = forkClusterState(served);
    const traces = createTracing(undefined, log.error);
    const breaks = createBreakpoints({ now: clock.now, onHeld: () => {} });
    const unobserved = { ...observing, authenticated: () => {}, finished: () => {}, watchEnded: () => {} };
    const api = openApi(clusterState, { traces, breaks, observing: unobserved, mutatingOrder });
    return { api, clusterState, traceOf: traces.log.get };
  };
