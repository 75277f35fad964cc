import { setImmediate } from 'node:timers/promises';
import { defaultSettings } from '../../src/apiserver/admission/plugins/plugin-settings.ts';
import { toWorldAnswer, type WorldAnswer } from './world-answer.ts';
import { worldIdentities } from '../../src/app/compose/in-process.ts';
import { nodePlatform } from '../../src/app/in-process/node-platform.ts';
import { httpReply, reviewBody, type Respond } from './admission.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';
import type { CallReply, CallWebhook, WebhookCall } from '../../src/apiserver/admission/webhooks/call.ts';
import type { Random } from '../../src/machinery/clock.ts';
import type { UserInfo } from '../../src/apiserver/auth/user.ts';
import { createBootstrapRbac } from '../../src/apiserver/auth/bootstrap-rbac.ts';
import { clusterSeeds, rbacSeeds, seedObjects, serviceAddressSeeds } from '../../src/controllers/seed-objects.ts';
import { bodyFormats, readYamlBody } from '../../src/adapters/http/body-formats.ts';
import type { ApiRequest } from '../../src/apiserver/request/api-request.ts';
import type { FinishedRequest, Handle } from '../../src/apiserver/request/handle.ts';
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
  createClusterStateOver,
} from '../../src/app/compose/cluster-state.ts';

/** An API server without sockets: its webhooks are functions, its clock moves only when advanced, its uids are a sequence. */
export interface TestWorld {
  readonly send: (method: string, target: string, body?: unknown, more?: SendOptions) => Promise<WorldAnswer>;
  readonly handle: Handle;
  readonly preview: ApiServer['preview'];
  readonly store: MemoryStore;
  readonly serveStored: ApiServer['serveStored'];
  readonly clock: VirtualClock;
  /** Every call to a webhook, in order. */
  readonly calls: readonly SeenCall[];
  /** The data of each request for its trace. */
  readonly finished: readonly FinishedRequest[];
  /** Unexpected errors that `handle` caught. */
  readonly bugs: readonly unknown[];
}

export interface SeenCall {
  readonly webhook: string;
  readonly timeoutMs: number;
  readonly request: Parameters<Respond>[0];
}

export interface SendOptions {
  readonly contentType?: string;
  readonly headers?: ApiRequest['headers'];
  readonly as?: UserInfo;
  readonly signal?: AbortSignal;
  readonly exhaustion?: ApiRequest['exhaustion'];
}

export interface TestWorldOptions {
  /** Responses of webhooks by name; others allow everything. */
  readonly responses?: Readonly<Record<string, Respond>>;
  readonly authorizationMode?: 'RBAC' | 'AlwaysAllow';
  /** Default: the release that most facts are recorded from. */
  readonly release?: Release;
  readonly random?: Random;
  readonly storedOnly?: HandlerDeps['storedOnly'];
  readonly pendingWarning?: HandlerDeps['pendingWarning'];
  /** Wraps the store of the pipeline, for stores that misbehave. */
  readonly wrapStore?: (store: Storage) => Storage;
  /** Replaces memory; the seeds of a fresh server are stored in it too. */
  readonly store?: Pick<ClusterState, 'storage' | 'cluster'>;
  readonly clock?: VirtualClock;
  readonly maxRequestMs?: HandlerDeps['maxRequestMs'];
  /** Called when the CEL engine is loaded. */
  readonly celLoaded?: () => void;
  /** Wraps the webhook port of the pipeline. */
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
  const { memory, state, newUid } = await createSeededState(options, clock.now());
  const clusterState = { ...state, storage: wrapStore(state.storage) };
  const { handle, preview, serveStored } = createApiServer(clusterState, {
    ...(options.storedOnly ? { storedOnly: options.storedOnly } : {}),
    ...(options.pendingWarning ? { pendingWarning: options.pendingWarning } : {}),
    ...(options.maxRequestMs === undefined ? {} : { maxRequestMs: options.maxRequestMs }),
    clock,
    newUid,
    random,
    callWebhook: wrapCall(callResponder(options.responses ?? {}, calls)),
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
    identities: { tokens: new Map(), anonymousAuth: true, issuers: [''], apiAudiences: [], ...unverifiedTokens },
    signatureFault: nodePlatform.signatureFault,
    serveDocument: async () => undefined,
    serviceClusterIpRange: '10.0.0.0/24',
    observers: {
      // Explanations omit the name of the default release.
      finished: ({ release: _recorded, ...request }) => finished.push(request),
      onBug: (_request, error) => bugs.push(error),
    },
  });
  let sent = 0;
  return {
    send: async (method, target, body, more) => {
      sent += 1;
      const request = createRequest({ method, target, body }, { ...more, auditId: `audit-${sent}`, at: clock.now() });
      return toWorldAnswer(await handle(request));
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

/** The seeded state of the world, and its next uids. */
async function createSeededState(
  { store, authorizationMode = 'RBAC', release = recordedRelease }: TestWorldOptions,
  now: number,
) {
  const seeded = release === recordedRelease ? await seededState(now) : await seedState(now, release);
  const authorization = { modes: [authorizationMode] };
  const memory = forkClusterState({ ...seeded, authorization });
  if (!store) return { memory, state: memory, newUid: sequentialUids(seeds.length) };
  const state = createClusterStateOver({ release, ...store }, authorization);
  const newUid = sequentialUids();
  await seedObjects(state.storage, seeds, { newUid, now });
  return { memory, state, newUid };
}

/** Sequential uids that start after `taken`. */
function sequentialUids(taken = 0): () => string {
  let uids = taken;
  return () => `00000000-0000-4000-8000-${String((uids += 1)).padStart(12, '0')}`;
}

const seeds = [
  ...clusterSeeds,
  ...rbacSeeds(createBootstrapRbac(recordedRelease.bootstrapRbac)),
  ...serviceAddressSeeds('10.0.0.0/24', '10.0.0.1', '2026-01-01T00:00:00Z'),
];

const seededStates = new Map<number, Promise<ForkableClusterState>>();

/** The state of a fresh server at this time. Thousands of worlds start with it, each with its own fork. */
function seededState(now: number): Promise<ForkableClusterState> {
  const known = seededStates.get(now) ?? seedState(now);
  seededStates.set(now, known);
  return known;
}

async function seedState(now: number, release = recordedRelease): Promise<ForkableClusterState> {
  const clusterState = createClusterState(release, { modes: ['RBAC'] });
  await seedObjects(clusterState.storage, seeds, { newUid: sequentialUids(), now });
  return clusterState;
}

/** Tokens are not verified: the world has no key. */
const unverifiedTokens = {
  signJwt: worldIdentities(nodePlatform.signToken).signJwt,
  verifyJwt: async () => true,
};

function callResponder(responses: Readonly<Record<string, Respond>>, calls: SeenCall[]) {
  const rounds = new Map<string, number>();
  return async ({ webhookName, body, timeoutMs }: WebhookCall): Promise<CallReply> => {
    const review: { readonly request: Parameters<Respond>[0]; readonly apiVersion: string } = JSON.parse(body);
    calls.push({ webhook: webhookName, timeoutMs, request: review.request });
    const round = (rounds.get(webhookName) ?? 0) + 1;
    rounds.set(webhookName, round);
    const response = (await responses[webhookName]?.(review.request, round, timeoutMs)) ?? {};
    return 'outcome' in response ? response : httpReply(reviewBody(review.apiVersion, review.request.uid, response));
  };
}

interface Sent {
  readonly method: string;
  /** Path and query, as in a URL. */
  readonly target: string;
  /** An object is sent as JSON, a string or bytes unchanged. */
  readonly body: unknown;
}

function createRequest(
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
    body: encodeBody(body),
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

function encodeBody(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}
