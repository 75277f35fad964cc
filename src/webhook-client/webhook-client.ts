import { goDuration } from '../apimachinery/go-duration.ts';
import type { ClusterView } from '../apimachinery/cluster-view.ts';
import type { CallReply, CallWebhook, ClientConfig, WebhookCall } from '../admission/webhooks/call.ts';
import { bodyFailure, noAddressText, postFailure, timeoutQuery } from '../admission/webhooks/call-text.ts';
import type { AdmissionPhase } from '../admission/admission-phase.ts';
import type { Kubeconfig, KubeconfigUser } from '../admission/settings/kubeconfig.ts';
import { credentialsOf, userFor } from './credentials.ts';
import { startTimer } from './call-end.ts';
import type { CallEnd } from './call-end.ts';
import { callTarget } from '../admission/webhooks/call-target.ts';
import type { CallTarget } from '../admission/webhooks/call-target.ts';
import { readCaBundle } from './ca-bundle.ts';
import type { CaBundle } from './ca-bundle.ts';
import { followRedirects } from './follow-redirects.ts';
import type { Journey } from './follow-redirects.ts';
import type { EgressProxy } from './egress.ts';
import { createLines } from './lines.ts';
import type { Lines } from './lines.ts';
import { retryDelay, slept } from './retry-after.ts';
import { probeBackend } from './probe-backend.ts';
import type { BackendHealth } from './probe-backend.ts';
import { createRoutes } from './route.ts';
import type { Detour, Route } from './route.ts';
import { createMappings } from './mappings.ts';
import type { Mappings } from './mappings.ts';

export interface WebhookClient {
  readonly call: CallWebhook;
  /** Can it be reached, and with which certificate? Nothing is sent. */
  readonly probe: (clientConfig: ClientConfig) => Promise<BackendHealth>;
  /** Ends every connection; calls under way fail. */
  readonly close: () => Promise<void>;
}

export interface WebhookClientOptions {
  /** Where Services and their endpoints are read. */
  readonly cluster: ClusterView;
  /** Where Services and hosts are led to; nowhere else by default. */
  readonly mappings?: Mappings;
  /** Where to open the connection for a call instead; the URL, Host header and server name stay the webhook's. */
  readonly detour?: (call: WebhookCall) => Detour | undefined;
  /** Are mapped webhooks without a caBundle believed, whatever certificate they show? Not by default. */
  readonly believesMapped?: boolean;
  /** Who calls the webhooks of each kind; nobody in particular by default. */
  readonly kubeconfigs?: Readonly<Record<AdmissionPhase, Kubeconfig>>;
  /** Through which proxies connections go: those to admission webhooks, and those of the server itself. */
  readonly egress?: { readonly cluster?: EgressProxy; readonly controlPlane?: EgressProxy };
}

/** Calls of the server itself go another way than those to admission webhooks. */
function linesOf(
  lines: Lines,
  { cluster, controlPlane }: NonNullable<WebhookClientOptions['egress']>,
): ((asked: WebhookCall) => Lines) & Pick<Lines, 'close'> {
  const own = cluster || controlPlane ? createLines(controlPlane) : lines;
  const close = (): void => {
    lines.close();
    own.close();
  };
  return Object.assign(({ caller }: WebhookCall) => (caller ? own : lines), { close });
}

/** Calls webhooks over HTTPS as kube-apiserver does. Follows apiserver pkg/util/webhook/client.go and client-go rest/request.go. */
export function createWebhookClient({
  cluster,
  mappings = createMappings([]),
  detour,
  believesMapped = false,
  kubeconfigs,
  egress = {},
}: WebhookClientOptions): WebhookClient {
  const lines = createLines(egress.cluster);
  const linesFor = linesOf(lines, egress);
  const read = configReader();
  const call: CallWebhook = async (asked) => {
    const { target, bundle } = read(asked.clientConfig);
    if (!target) return noAddress(asked);
    const shown = credentialsOf(callerOf(asked, target, kubeconfigs));
    if (shown.outcome === 'unreadable') return { outcome: 'failed', phase: 'client', error: shown.error };
    if (bundle.outcome === 'unreadable') return { outcome: 'failed', phase: 'client', error: bundle.error };
    const { certificates } = bundle;
    const { headers, identity } = shown.credentials;
    const believed = believesMapped && isMappedWithoutBundle(asked.clientConfig, target, mappings);
    const trust = { certificates, identity, insecure: believed || asked.caller?.insecure === true };
    const routes = createRoutes({
      asked,
      target,
      trust,
      lines: linesFor(asked),
      cluster,
      mappings,
      detour: detour?.(asked),
    });
    const timer = startTimer(asked);
    try {
      const journey = {
        target,
        routes,
        body: asked.body,
        query: asked.caller ? `?timeout=${goDuration(asked.timeoutMs)}` : timeoutQuery(asked.timeoutMs),
        headers: { ...headers, ...asked.headers },
      };
      const reply = replyOf(await untilFinal(journey, timer.end));
      const isLed = asked.clientConfig.service !== undefined || mappings.forHost(target) !== undefined;
      return isLed ? { ...reply, ...reached(routes(target), target), ...(believed && { believed }) } : reply;
    } finally {
      timer.stop();
    }
  };
  const probe = (clientConfig: ClientConfig): Promise<BackendHealth> =>
    probeBackend(clientConfig, { cluster, mappings, lines });
  return { call, probe, close: async () => linesFor.close() };
}

function isMappedWithoutBundle(
  { service, caBundle = '' }: ClientConfig,
  target: CallTarget,
  mappings: Mappings,
): boolean {
  if (caBundle !== '') return false;
  const led = service
    ? mappings.forService({ namespace: service.namespace, name: service.name, port: target.port })
    : mappings.forHost(target);
  return led?.url.protocol === 'https:';
}

/** Each kind of webhooks has users of its own. */
function callerOf(
  { caller, phase }: WebhookCall,
  { host, port }: CallTarget,
  kubeconfigs: WebhookClientOptions['kubeconfigs'],
): KubeconfigUser | undefined {
  if (caller !== undefined) return caller.user;
  return phase && kubeconfigs && userFor(kubeconfigs[phase], host, port);
}

/** Where a service was called: the name that its webhook has says nothing of that. */
const reached = (route: Route, { path }: CallTarget): Pick<CallReply, 'url' | 'program'> =>
  route.outcome === 'routed'
    ? { url: `${route.origin}${route.basePath}${path}`, ...(route.program ? { program: route.program } : {}) }
    : {};

const noAddress = ({ webhookName }: WebhookCall): CallReply => ({
  outcome: 'failed',
  phase: 'client',
  error: noAddressText(webhookName),
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

const maxRetries = 10;

/** Sends again as long as the webhook asks for it with Retry-After. Follows client-go rest/with_retry.go (rule HTTP-12). */
async function untilFinal(journey: Journey, end: CallEnd): ReturnType<typeof followRedirects> {
  for (let attempt = 0; ; attempt += 1) {
    const arrival = await followRedirects(journey, end);
    const delay = arrival.outcome === 'answered' && attempt < maxRetries ? retryDelay(arrival) : undefined;
    if (delay === undefined) return arrival;
    await slept(delay, end);
  }
}

function replyOf(arrival: Awaited<ReturnType<typeof followRedirects>>): CallReply {
  if (arrival.outcome === 'answered') {
    const { code, header, body } = arrival;
    return { outcome: 'answered', code, contentType: header('content-type'), body };
  }
  const { failure, readingBody, url } = arrival;
  const { phase, known, message } = failure;
  const error = readingBody ? bodyFailure(message) : postFailure(url, message);
  return { outcome: 'failed', phase, error, detail: readingBody ? error : message, ...known };
}
