import { setImmediate } from 'node:timers/promises';
import { defaultSettings } from '../../src/apiserver/admission/plugins/plugin-settings.ts';
import { answerOf, type WorldAnswer } from './world-answer.ts';
import { worldIdentities } from '../../src/app/compose/identity.ts';
import { nodePlatform } from '../../src/app/in-process/node-platform.ts';
import { answered, reviewBody, type Say } from './admission.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';
import type { CallReply, CallWebhook, WebhookCall } from '../../src/apiserver/admission/webhooks/call.ts';
import type { Random } from '../../src/machinery/clock.ts';
import type { UserInfo } from '../../src/apiserver/auth/user.ts';
import { bootstrapRbac } from '../../src/apiserver/auth/bootstrap-rbac.ts';
import { clusterSeeds, rbacSeeds, seedObjects, serviceAddressSeeds } from '../../src/controllers/seed-objects.ts';
import { bodyFormats, readYamlBody } from '../../src/adapters/http/body-formats.ts';
import type { ApiRequest } from '../../src/apiserver/request/api-request.ts';
import type { FinishedRequest, Handle, Observers } from '../../src/apiserver/request/handle.ts';
import type { HandlerDeps } from '../../src/apiserver/request/handler-deps.ts';
import type { MemoryStore } from '../../src/apiserver/storage/memory-store.ts';
import type { Storage } from '../../src/apiserver/storage/storage.ts';
import type { Release } from '../../src/api/release/release.ts';
import { recordedRelease } from './recorded-release.ts';
import { type ApiServer, createApiServer } from '../../src/app/compose/create-api.ts';
import {
  createClusterState,
  type ForkableClusterState,
  forkClusterState,
  type ClusterState,
  clusterStateOver,
} from '../../src/app/compose/cluster-state.ts';

/** An API server without sockets: its webhooks are functions, its clock stands still until moved, its uids count up. */
export interface TestWorld {
  readonly send: (method: string, target: string, body?: unknown, more?: SendOptions) => Promise<WorldAnswer>;
  readonly handle: Handle;
  readonly preview: ApiServer['preview'];
  readonly store: MemoryStore;
  readonly serveStored: ApiServer['serveStored'];
  readonly clock: VirtualClock;
  /** Every call to a webhook, in order. */
  readonly calls: readonly SeenCall[];
  /** What each request left for its trace. */
  readonly finished: readonly FinishedRequest[];
  /** What `handle` caught: a bug each. */
  readonly bugs: readonly unknown[];
}

export interface SeenCall {
  readonly webhook: string;
  readonly timeoutMs: number;
  readonly request: Parameters<Say>[0];
}

export interface SendOptions {
  readonly contentType?: string;
  readonly headers?: ApiRequest['headers'];
  readonly as?: UserInfo;
  readonly signal?: AbortSignal;
  readonly exhaustion?: ApiRequest['exhaustion'];
}

export interface TestWorldOptions {
  /** What a webhook says, by its name; others allow everything. */
  readonly say?: Readonly<Record<string, Say>>;
  readonly authorizationMode?: 'RBAC' | 'AlwaysAllow';
  /** Default: the release that most facts are recorded from. */
  readonly release?: Release;
  readonly random?: Random;
  readonly storedOnly?: HandlerDeps['storedOnly'];
  readonly pendingWarning?: HandlerDeps['pendingWarning'];
  /** The store as the pipeline gets it, for stores that misbehave. */
  readonly wrapStore?: (store: Storage) => Storage;
  /** Instead of memory; the seeds of a fresh server are put into it too. */
  readonly store?: Pick<ClusterState, 'storage' | 'cluster'>;
  readonly clock?: VirtualClock;
  readonly limits?: Pick<HandlerDeps, 'enterInFlight' | 'maxRequestMs'>;
  /** Told when the engine of expressions is loaded. */
  readonly celLoaded?: () => void;
  readonly authenticated?: Observers['authenticated'];
  /** The port to webhooks as the pipeline gets it. */
  readonly wrapCall?: (call: CallWebhook) => CallWebhook;
}

export const adminUser: UserInfo = {
  username: 'admin',
  uid: 'admin-uid',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** A fresh world with the seeds of a fresh server. */
export async function createTestWorld(options: TestWorldOptions = {}): Promise<TestWorld> {
  const {
    clock = createVirtualClock(),
    random = () => 0,
    wrapStore = (store: Storage) => store,
    wrapCall = (call) => call,
  } = options;
  const calls: SeenCall[] = [];
  const finished: FinishedRequest[] = [];
  const bugs: unknown[] = [];
  const { memory, made, newUid } = await seededFor(options, clock.now());
  const clusterState = { ...made, storage: wrapStore(made.storage) };
  const { handle, preview, serveStored } = createApiServer(clusterState, {
    ...(options.storedOnly ? { storedOnly: options.storedOnly } : {}),
    ...(options.pendingWarning ? { pendingWarning: options.pendingWarning } : {}),
    ...options.limits,
    clock,
    newUid,
    random,
    callWebhook: wrapCall(scripted(options.say ?? {}, calls)),
    parseYaml: readYamlBody,
    yieldIfLong: async () => {},
    nextIteration: () => setImmediate(),
    loadCrd: () => import('../../src/api/crd/engine.ts'),
    loadCel: () => {
      options.celLoaded?.();
      return import('../../src/cel/index.ts');
    },
    bodies: bodyFormats(options.release ?? recordedRelease),
    plugins: { enable: [], disable: [] },
    settings: defaultSettings,
    allowPrivileged: true,
    identities: { tokens: new Map(), anonymousAuth: true, issuers: [''], apiAudiences: [], ...unsigned },
    signatureFault: nodePlatform.signatureFault,
    serveDocument: async () => undefined,
    serviceClusterIpRange: '10.0.0.0/24',
    observers: {
      // As of the default release, whose name explanations leave out.
      finished: ({ release: _recorded, ...one }) => finished.push(one),
      onBug: (_request, error) => bugs.push(error),
      ...(options.authenticated ? { authenticated: options.authenticated } : {}),
    },
  });
  let sent = 0;
  return {
    send: async (method, target, body, more) => {
      sent += 1;
      const request = requestOf({ method, target, body }, { ...more, auditId: `audit-${sent}`, at: clock.now() });
      return answerOf(await handle(request));
    },
    handle,
    preview,
    store: memory.memory,
    serveStored,
    clock,
    calls,
    finished,
    bugs,
  };
}

/** What the world stands on, with the seeds in it, and how its uids go on. */
async function seededFor(
  { store, authorizationMode = 'RBAC', release = recordedRelease }: TestWorldOptions,
  now: number,
) {
  const seeded = release === recordedRelease ? await seededState(now) : await groundSeededAt(now, release);
  const memory = forkClusterState(seeded, { authorizationMode });
  if (!store) return { memory, made: memory, newUid: countedUids(seeds.length) };
  const made = clusterStateOver({ release, ...store }, { authorizationMode });
  const newUid = countedUids();
  await seedObjects(made.storage, seeds, { newUid, now });
  return { memory, made, newUid };
}

/** Uids that count up, after so many. */
function countedUids(taken = 0): () => string {
  let uids = taken;
  return () => `00000000-0000-4000-8000-${String((uids += 1)).padStart(12, '0')}`;
}

const seeds = [
  ...clusterSeeds,
  ...rbacSeeds(bootstrapRbac(recordedRelease.bootstrapRbac)),
  ...serviceAddressSeeds('10.0.0.0/24', '10.0.0.1', '2026-01-01T00:00:00Z'),
];

const grounds = new Map<number, Promise<ForkableClusterState>>();

/** What a fresh server has at this time. Thousands of worlds begin as it is, and each has a fork of its own. */
function seededState(now: number): Promise<ForkableClusterState> {
  const known = grounds.get(now) ?? groundSeededAt(now);
  grounds.set(now, known);
  return known;
}

async function groundSeededAt(now: number, release = recordedRelease): Promise<ForkableClusterState> {
  const clusterState = createClusterState(release, { authorizationMode: 'RBAC' });
  await seedObjects(clusterState.storage, seeds, { newUid: countedUids(), now });
  return clusterState;
}

/** Tokens nobody checks: the world has no key. */
const unsigned = {
  signJwt: worldIdentities(nodePlatform.signToken).signJwt,
  verifyJwt: async () => true,
};

function scripted(say: Readonly<Record<string, Say>>, calls: SeenCall[]) {
  const turns = new Map<string, number>();
  return async ({ webhookName, body, timeoutMs }: WebhookCall): Promise<CallReply> => {
    const review: { readonly request: Parameters<Say>[0]; readonly apiVersion: string } = JSON.parse(body);
    calls.push({ webhook: webhookName, timeoutMs, request: review.request });
    const turn = (turns.get(webhookName) ?? 0) + 1;
    turns.set(webhookName, turn);
    const said = (await say[webhookName]?.(review.request, turn, timeoutMs)) ?? {};
    return 'outcome' in said ? said : answered(reviewBody(review.apiVersion, review.request.uid, said));
  };
}

interface Sent {
  readonly method: string;
  /** Path and query, as in a URL. */
  readonly target: string;
  /** An object is sent as JSON, a string or bytes as they are. */
  readonly body: unknown;
}

function requestOf(
  { method, target, body }: Sent,
  {
    contentType,
    headers,
    as = adminUser,
    signal,
    exhaustion,
    auditId,
    at,
  }: SendOptions & { auditId: string; at: number },
): ApiRequest {
  const [path = '', query = ''] = splitOnce(target, '?');
  return {
    method,
    path: decodeURIComponent(path),
    query: new URLSearchParams(query),
    headers: {
      'user-agent': 'test/1.0',
      ...(body === undefined ? {} : { 'content-type': contentType ?? contentTypes[method] ?? 'application/json' }),
      ...headers,
    },
    body: bytesOf(body),
    as,
    certificate: undefined,
    auditId,
    receivedAt: at,
    signal: () => signal ?? new AbortController().signal,
    ...(exhaustion ? { exhaustion } : {}),
  };
}

const contentTypes: Readonly<Record<string, string>> = { PATCH: 'application/merge-patch+json' };

function splitOnce(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}
