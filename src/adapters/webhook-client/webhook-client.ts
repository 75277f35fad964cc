import { setTimeout as sleep } from 'node:timers/promises';
import { goDuration } from '../../machinery/go/go-duration.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import {
  bodyFailure,
  type CallReply,
  callTarget,
  type CallTarget,
  type CallWebhook,
  type ClientConfig,
  noAddressText,
  postFailure,
  timeoutQuery,
  type WebhookCall,
} from '../../apiserver/admission/webhooks/call.ts';
import type { AdmissionPhase } from '../../apiserver/admission/chain/attributes.ts';
import type { Kubeconfig, KubeconfigUser } from '../../apiserver/admission/configuration/kubeconfig.ts';
import { createCaBundleReader } from './ca-bundle.ts';
import { WebhookCallError, startDeadline } from './call-failure.ts';
import { readCredentials, userFor } from './credentials.ts';
import { followRedirects, type CallState } from './follow-redirects.ts';
import { createMappings, type Mappings } from './mappings.ts';
import { createPools } from './pools.ts';
import { type ProbeResult, probeBackend } from './probe-backend.ts';
import { createRoutes, type ResolvedAddress, type BackendRoute } from './route.ts';
import type { HttpResponse } from './send-request.ts';

export interface WebhookClient {
  readonly call: CallWebhook;
  /** Checks address and certificate without a request. */
  readonly probe: (clientConfig: ClientConfig) => Promise<ProbeResult>;
  /** Closes all connections; running calls fail. */
  readonly close: () => Promise<void>;
}

interface WebhookClientOptions {
  /** Reads Services and endpoints. */
  readonly cluster: ClusterView;
  /** `--map`. */
  readonly mappings?: Mappings;
  /** Replaces the address of a call; URL, Host header and server name stay the webhook's. */
  readonly dialOverride?: (call: WebhookCall) => ResolvedAddress | undefined;
  /** Trust mapped webhooks without a caBundle. */
  readonly trustMapped?: boolean;
  /** Credentials for each kind of webhook. */
  readonly kubeconfigs?: Readonly<Record<AdmissionPhase, Kubeconfig>>;
}

/**
 * Calls webhooks over HTTPS as kube-apiserver does. Follows apiserver pkg/util/webhook/client.go and client-go
 * rest/request.go.
 */
export function createWebhookClient({
  cluster,
  mappings = createMappings([]),
  dialOverride,
  trustMapped = false,
  kubeconfigs,
}: WebhookClientOptions): WebhookClient {
  const pools = createPools();
  const readBundle = createCaBundleReader();

  const call: CallWebhook = async (webhookCall) => {
    const { clientConfig, caller } = webhookCall;
    const target = callTarget(clientConfig);
    if (!target) return unusable(noAddressText(webhookCall.webhookName));
    const credentials = readCredentials(callerOf(webhookCall, target, kubeconfigs));
    if (credentials.outcome === 'unreadable') return unusable(credentials.error);
    const bundle = readBundle(clientConfig);
    if (bundle.outcome === 'unreadable') return unusable(bundle.error);

    const { headers, identity } = credentials.credentials;
    const trusted = trustMapped && isMappedWithoutBundle(clientConfig, target, mappings);
    const routes = createRoutes({
      webhookCall,
      target,
      trust: { certificates: bundle.certificates, identity, insecure: trusted || caller?.insecure === true },
      pools,
      cluster,
      mappings,
      dialOverride: dialOverride?.(webhookCall),
    });
    const reply = await sendReview(webhookCall, { target, routes, headers });
    if (clientConfig.service === undefined && mappings.forHost(target) === undefined) return reply;
    return { ...reply, ...calledAddress(routes(target), target), ...(trusted && { trustedAsMapped: trusted }) };
  };

  return {
    call,
    probe: (clientConfig) => probeBackend(clientConfig, { cluster, mappings, pools }),
    close: async () => pools.close(),
  };
}

const unusable = (error: string): CallReply => ({ outcome: 'failed', phase: 'client', error });

function isMappedWithoutBundle(
  { service, caBundle = '' }: ClientConfig,
  target: CallTarget,
  mappings: Mappings,
): boolean {
  if (caBundle !== '') return false;
  const mapping = service
    ? mappings.forService({ namespace: service.namespace, name: service.name, port: target.port })
    : mappings.forHost(target);
  return mapping?.url.protocol === 'https:';
}

/** Each kind of webhook has its own users. */
function callerOf(
  { caller, phase }: WebhookCall,
  { host, port }: CallTarget,
  kubeconfigs: WebhookClientOptions['kubeconfigs'],
): KubeconfigUser | undefined {
  if (caller !== undefined) return caller.user;
  return phase && kubeconfigs && userFor(kubeconfigs[phase], host, port);
}

/** Where a Service was called: its URL does not say. */
const calledAddress = (route: BackendRoute, { path }: CallTarget): Pick<CallReply, 'url' | 'program'> =>
  route.outcome === 'routed'
    ? { url: `${route.origin}${route.basePath}${path}`, ...(route.program ? { program: route.program } : {}) }
    : {};

/** Sends the review; follows redirects and Retry-After. */
async function sendReview(
  webhookCall: WebhookCall,
  { headers, ...rest }: Pick<CallState, 'target' | 'routes' | 'headers'>,
): Promise<CallReply> {
  const { caller, timeoutMs } = webhookCall;
  const deadline = startDeadline(webhookCall);
  const state: CallState = {
    ...rest,
    body: webhookCall.body,
    query: caller ? `?timeout=${goDuration(timeoutMs)}` : timeoutQuery(timeoutMs),
    headers: { ...headers, ...webhookCall.headers },
    deadline,
    exchanges: [],
    url: '',
  };
  const reply = await sendWithRetryAfter(state)
    .then(answered, (error: unknown) => failed(error, state))
    .finally(deadline.stop);
  return state.exchanges.length > 1 ? { ...reply, exchanges: state.exchanges } : reply;
}

const maxRetries = 10;

/** Repeats the request for Retry-After. Follows client-go rest/with_retry.go (rule HTTP-12). */
async function sendWithRetryAfter(state: CallState): Promise<HttpResponse> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await followRedirects(state);
    const retryAfter = attempt < maxRetries ? retryAfterOf(response) : undefined;
    if (retryAfter === undefined) return response;
    const last = state.exchanges.pop();
    if (last) state.exchanges.push({ ...last, retryAfter });
    // An abort ends the wait, and the next attempt throws its reason.
    await sleep(Math.min(retryAfter * 1000, 2 ** 31 - 1), undefined, { signal: state.deadline.signal }).catch(
      () => undefined,
    );
  }
}

/** Seconds after which a 429 or 5xx is retried; undefined for a final response. */
function retryAfterOf({ code, header }: HttpResponse): number | undefined {
  const seconds = header('retry-after') ?? '';
  const isRetriable = code === 429 || code >= 500;
  return isRetriable && /^[+-]?\d+$/.test(seconds) ? Math.max(0, Number(seconds)) : undefined;
}

const answered = ({ code, header, body }: HttpResponse): CallReply => ({
  outcome: 'answered',
  code,
  contentType: header('content-type'),
  body,
});

function failed(error: unknown, { url }: CallState): CallReply {
  if (!(error instanceof WebhookCallError)) throw error;
  const { phase, known, message, readingBody } = error;
  const text = readingBody ? bodyFailure(message) : postFailure(url, message);
  return { outcome: 'failed', phase, error: text, detail: readingBody ? text : message, ...known };
}
