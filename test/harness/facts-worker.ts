import { forkClusterState } from '../../src/app/compose/cluster-state.ts';
import { runInProcess } from '../../src/app/compose/in-process.ts';
import { createBases } from '../../src/app/in-process/bases.ts';
import { virtualStart, virtualTime } from '../../src/app/in-process/time.ts';
import { webPlatform } from '../../src/app/playground/web-platform.ts';
import type { ApiRequest } from '../../src/apiserver/request/api-request.ts';
import type { CallWebhook } from '../../src/apiserver/admission/webhooks/call.ts';
import { createSeededRandom, createSeededUids } from '../../src/testing/stubs/seeded-random.ts';
import type { Conversation } from './conversation.ts';
import { callStubs, type FactsWorld, runInWorld } from './facts-in-process.ts';
import { toWorldAnswer } from './world-answer.ts';

/** The scope of a dedicated worker. */
declare const self: {
  onmessage: ((event: { readonly data: WorkerRequest }) => void) | null;
  readonly postMessage: (message: unknown) => void;
};

interface WorkerRequest {
  readonly id: number;
  /** A recorded conversation. */
  readonly text: string;
  readonly caBundle: string;
}

// The settings of the recorded server.
const config = {
  controllers: [],
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  authorizationMode: 'RBAC',
  kubernetesVersion: '1.36',
};

const onBug = (error: unknown): never => {
  throw error;
};

const baseFor = createBases(webPlatform, onBug);

self.onmessage = ({ data: { id, text, caBundle } }) => {
  void runConversation(text, caBundle).then(
    (seen) => self.postMessage({ id, seen }),
    (error: unknown) => self.postMessage({ id, seen: String(error) }),
  );
};

async function runConversation(text: string, caBundle: string): Promise<readonly unknown[]> {
  const conversation: Conversation = JSON.parse(text);
  return runInWorld(conversation, await createFactsWorld(callStubs(conversation.case.stubs ?? {})), caBundle);
}

/** Creates the world as the playground does. */
async function createFactsWorld(wrapCall: (call: CallWebhook) => CallWebhook): Promise<FactsWorld> {
  const clusterState = forkClusterState(await baseFor({ clock: 'virtual', ...config }));
  const time = virtualTime(virtualStart, webPlatform.nextIteration);
  const newUid = createSeededUids(createSeededRandom(1));
  const calls: { readonly request: unknown }[] = [];
  const record: CallWebhook = async (call) => {
    calls.push(JSON.parse(call.body));
    return { outcome: 'failed', phase: 'client', error: 'the stub answers' };
  };
  const ports = { ...time, platform: webPlatform, newUid, random: createSeededRandom(1), finished: () => {}, onBug };
  const { handle } = await runInProcess(clusterState, config, { ...ports, callWebhook: wrapCall(record) });
  return {
    calls,
    send: async (method, target, body, { contentType, headers }) => {
      const url = new URL(target, 'https://127.0.0.1');
      const request: ApiRequest = {
        method,
        path: decodeURIComponent(url.pathname),
        query: url.searchParams,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': contentType }) },
        body: body === undefined ? new Uint8Array() : new TextEncoder().encode(textOf(body)),
        as: { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'], extra: {} },
        certificate: undefined,
        auditId: newUid(),
        receivedAt: time.clock.now(),
        signal: () => new AbortController().signal,
      };
      return toWorldAnswer(await time.drive(handle(request)));
    },
  };
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));
