import type { ClusterView } from '../apimachinery/cluster-view.ts';
import { goQuote } from '../apimachinery/field-error.ts';
import type { CallReply, CallWebhook, ClientConfig, WebhookCall } from '../admission/webhooks/call.ts';
import type { CallFailure } from './call-failure.ts';
import { contextCanceled, deadlineExceeded } from './call-failure.ts';
import { callTarget } from './call-target.ts';
import type { CallTarget } from './call-target.ts';
import { readCaBundle } from './ca-bundle.ts';
import type { CaBundle } from './ca-bundle.ts';
import { followRedirects } from './follow-redirects.ts';
import type { Journey } from './follow-redirects.ts';
import { loadUndici } from './line.ts';
import { createLines } from './lines.ts';
import { retryDelay, slept } from './retry-after.ts';
import { createRoutes } from './route.ts';
import type { ServiceMapping } from './service-mapping.ts';

export interface WebhookClient {
  readonly call: CallWebhook;
  /** Loads what the first call would have to wait for. */
  readonly warmUp: () => Promise<void>;
  /** Ends every connection; calls under way fail. */
  readonly close: () => Promise<void>;
}

export interface WebhookClientOptions {
  /** Where Services and their endpoints are read. */
  readonly cluster: ClusterView;
  /** The `--map` flags. */
  readonly mappings?: readonly ServiceMapping[];
}

/** Calls webhooks over HTTPS as kube-apiserver does. Follows apiserver pkg/util/webhook/client.go and client-go rest/request.go. */
export function createWebhookClient({ cluster, mappings = [] }: WebhookClientOptions): WebhookClient {
  const lines = createLines();
  const read = configReader();
  const call: CallWebhook = async (asked) => {
    const { target, bundle } = read(asked.clientConfig);
    if (!target) return noAddress(asked);
    if (bundle.outcome === 'unreadable') return { outcome: 'failed', phase: 'client', error: bundle.error };
    const routes = createRoutes({ asked, target, certificates: bundle.certificates, lines, cluster, mappings });
    const timer = startTimer(asked);
    try {
      const journey = { target, routes, body: asked.body, query: timeoutQuery(asked.timeoutMs) };
      return replyOf(await untilFinal(journey, timer.signal));
    } finally {
      timer.stop();
    }
  };
  const warmUp = async (): Promise<void> => void (await loadUndici());
  return { call, warmUp, close: lines.close };
}

/** Rule FAIL-3; the API refuses such a configuration. */
const noAddress = ({ webhookName }: WebhookCall): CallReply => ({
  outcome: 'failed',
  phase: 'client',
  error: `failed calling webhook ${goQuote(webhookName)}: webhook configuration must have either service or URL`,
});

interface ReadConfig {
  readonly target: CallTarget | undefined;
  readonly bundle: CaBundle;
}

/** A stored configuration is the same object for every call until somebody writes another: it is read once. */
function configReader(): (config: ClientConfig) => ReadConfig {
  const known = new WeakMap<ClientConfig, ReadConfig>();
  return (config) => {
    const read = known.get(config) ?? { target: callTarget(config), bundle: readCaBundle(config.caBundle ?? '') };
    known.set(config, read);
    return read;
  };
}

interface CallTimer {
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

function startTimer({ timeoutMs, signal }: WebhookCall): CallTimer {
  const controller = new AbortController();
  const leave = (): void => controller.abort(contextCanceled());
  const timer = setTimeout(() => controller.abort(deadlineExceeded()), Math.max(0, timeoutMs));
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave);
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    },
  };
}

/** `?timeout=10s`, rounded up to whole seconds, as Go prints durations (rule HTTP-2). */
function timeoutQuery(timeoutMs: number): string {
  const seconds = Math.max(0, Math.ceil(timeoutMs / 1000));
  return `?timeout=${seconds < 60 ? '' : `${Math.floor(seconds / 60)}m`}${seconds % 60}s`;
}

const maxRetries = 10;

/** Sends again as long as the webhook asks for it with Retry-After. Follows client-go rest/with_retry.go (rule HTTP-12). */
async function untilFinal(journey: Journey, signal: AbortSignal): ReturnType<typeof followRedirects> {
  for (let attempt = 0; ; attempt += 1) {
    const arrival = await followRedirects(journey, signal);
    const delay = arrival.outcome === 'answered' && attempt < maxRetries ? retryDelay(arrival) : undefined;
    if (delay === undefined) return arrival;
    await slept(delay, signal);
  }
}

function replyOf(arrival: Awaited<ReturnType<typeof followRedirects>>): CallReply {
  if (arrival.outcome === 'answered') {
    const { code, header, body } = arrival;
    return { outcome: 'answered', code, contentType: header('content-type'), body };
  }
  const { phase, certificate } = arrival.failure;
  return { outcome: 'failed', phase, error: failureText(arrival), ...(certificate ? { certificate } : {}) };
}

/** Follows Go's url.Error and client-go rest/request.go transformResponse (rules FAIL-4, RSP-10). */
function failureText({
  failure,
  readingBody,
  url,
}: {
  failure: CallFailure;
  readingBody: boolean;
  url: string;
}): string {
  if (!readingBody) return `Post ${goQuote(url)}: ${failure.message}`;
  return `unexpected error when reading response body. Please retry. Original error: ${failure.message}`;
}
