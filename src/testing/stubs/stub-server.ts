import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../machinery/clock.ts';
import { asString, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import { unescapeUrl } from '../../machinery/go/go-url.ts';
import type { StubPlan } from './plan-response.ts';
import type { StubCertificates, TlsFlaw } from './stub-certificates.ts';
import {
  closedPort,
  openFront,
  openListener,
  resetConnection,
  type StubListener,
  untilClosed,
} from './stub-listener.ts';
import { failedReply, readReviewBody, replyTo, type StubReply } from './stub-reply.ts';
import type { PlannedResponse, StubRegistry } from './stub-registry.ts';
import type { WebhookSpec } from './webhook-spec.ts';

export interface StubServerOptions {
  readonly stubRegistry: StubRegistry;
  /** May be shared by several worlds. */
  readonly certificates: StubCertificates;
  /** Real: external clients have no other. */
  readonly clock: Clock;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** Name or address for clients; `host` by default. */
  readonly name?: string;
}

/** For `clientConfig` of a webhook. */
export interface StubAddress {
  readonly url: string;
  readonly caBundle: string;
}

/** Stubs behind TLS, on free ports opened on demand. */
export interface StubServer {
  readonly host: string;
  readonly caBundle: () => Promise<string>;
  /** The port for a planned call, with a certificate for `serverName`. */
  readonly portFor: (plan: StubPlan, serverName: string) => Promise<number>;
  /** Announces a planned call: its request, by uid, is not counted again. */
  readonly expect: (uid: string, receipt: PlannedResponse) => void;
  readonly forget: (uid: string) => void;
  /**
   * For a server elsewhere. Connection faults are chosen at accept, so faults limited to namespaces cannot occur; a refusal or missing name
   * needs a permanent fault, else the connection is reset. Call again after faults change.
   */
  readonly addressOf: (configuration: string, webhook: string) => Promise<StubAddress>;
  readonly close: () => Promise<void>;
}

export function startStubServer(options: StubServerOptions): StubServer {
  const { stubRegistry, certificates, clock, host = '127.0.0.1', name = host } = options;
  const expected = new Map<string, PlannedResponse>();
  const opened = new Map<string, Promise<Pick<StubListener, 'port' | 'close'>>>();

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // The client disconnected.
    answerRequest(request, response, { stubRegistry, clock, expected }).catch(() => response.destroy());
  };
  const once = <L extends Pick<StubListener, 'port' | 'close'>>(key: string, open: () => Promise<L>): Promise<L> => {
    const known = (opened.get(key) as Promise<L> | undefined) ?? open();
    opened.set(key, known);
    return known;
  };
  const listener = (flaw: TlsFlaw, serverName: string): Promise<StubListener> =>
    once(`${flaw ?? ''} ${serverName}`, () => openListener({ host, flaw, serverName, certificates, answer }));

  const accept = (socket: Socket, configuration: string, webhook: string): void => {
    const flaw = flawOfConnection(options, configuration, webhook);
    if (flaw === 'reset') return void socket.resetAndDestroy();
    listener(flaw, name).then(
      ({ adopt }) => adopt(socket),
      () => socket.destroy(),
    );
  };
  const front = (configuration: string, webhook: string): Promise<Pick<StubListener, 'port' | 'close'>> =>
    once(`front ${configuration}/${webhook}`, () =>
      openFront(host, (socket) => accept(socket, configuration, webhook)),
    );
  return {
    host,
    caBundle: certificates.caBundle,
    portFor: async (plan, serverName) => {
      if (plan.type === 'break' && plan.how === 'refuse') return closedPort(host);
      return (await listener(flawOf(plan), isIP(serverName) === 0 ? name : serverName)).port;
    },
    expect: (uid, receipt) => void expected.set(uid, receipt),
    forget: (uid) => void expected.delete(uid),
    addressOf: async (configuration, webhook) => {
      const path = [configuration, webhook].map(encodeURIComponent).join('/');
      const always = permanentBreak(stubRegistry.find(webhook, configuration));
      const port = always === 'refuse' ? await closedPort(host) : (await front(configuration, webhook)).port;
      const authority = always === 'dns' ? `no-such-host.kadmit.invalid:${port}` : `${bracketHost(name)}:${port}`;
      return { url: `https://${authority}/${path}`, caBundle: await certificates.caBundle() };
    },
    close: async () => {
      const all = [...opened.values()];
      opened.clear();
      await Promise.allSettled(all.map(async (one) => (await one).close()));
    },
  };
}

const bracketHost = (name: string): string => (name.includes(':') ? `[${name}]` : name);

function flawOf(plan: StubPlan | undefined): TlsFlaw {
  if (plan?.type !== 'break') return undefined;
  const { how } = plan;
  return how === 'refuse' || how === 'reset' || how === 'dns' ? undefined : how;
}

/** Of a connection from another server. A call that ends here is counted here. */
function flawOfConnection(
  { stubRegistry, clock }: StubServerOptions,
  configuration: string,
  webhook: string,
): TlsFlaw | 'reset' {
  const plan = stubRegistry.planOf(webhook, configuration);
  // A realistic reset follows the request.
  if (plan?.type !== 'break' || plan.how === 'reset') return undefined;
  stubRegistry.receive({ webhook, configuration, at: clock.now(), review: {} });
  return flawOf(plan) ?? 'reset';
}

/** Of every call. */
function permanentBreak(spec: WebhookSpec | undefined): string | undefined {
  const [first] = spec?.faults ?? [];
  if (!first || first.calls || first.namespaces || first.probability !== undefined) return undefined;
  return first.what.type;
}

interface RequestPorts {
  readonly stubRegistry: StubRegistry;
  readonly clock: Clock;
  /** Planned calls by the uid of their review. */
  readonly expected: ReadonlyMap<string, PlannedResponse>;
}

/** A request to `/CONFIGURATION/WEBHOOK`, or an announced call. */
async function answerRequest(request: IncomingMessage, response: ServerResponse, ports: RequestPorts): Promise<void> {
  const review = readReviewBody(await text(request));
  if (!review) return send(response, failedReply(400, 'this is a webhook: send it an AdmissionReview'));
  const announced = ports.expected.get(asString(valueAt(review, 'request', 'uid')));
  const receipt = announced ?? receiveCall(request, review, ports);
  if (!receipt) return send(response, failedReply(404, `no stub answers ${request.url ?? ''}`));
  // One connection per call: some faults are chosen at accept.
  if (!announced) response.setHeader('connection', 'close');
  await respondAsPlanned(receipt, { request, response, review, clock: ports.clock });
}

function receiveCall(
  { url = '' }: IncomingMessage,
  review: JsonObject,
  { stubRegistry, clock }: RequestPorts,
): PlannedResponse | undefined {
  const [, configuration, webhook] = /^\/([^/?]+)\/([^/?]+)/.exec(url) ?? [];
  if (configuration === undefined || webhook === undefined) return undefined;
  const [name, from] = [webhook, configuration].map(unescapeUrl);
  return stubRegistry.receive({ webhook: name ?? '', configuration: from, at: clock.now(), review });
}

interface StubRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly review: JsonObject;
  readonly clock: Clock;
}

/** A fault that prevents the request resets the connection. */
async function respondAsPlanned(
  { spec, plan }: PlannedResponse,
  { request, response, review, clock }: StubRequest,
): Promise<void> {
  const closed = untilClosed(response);
  switch (plan.type) {
    case 'hang':
      return;
    case 'break':
      return resetConnection(request);
    case 'respond':
      return send(response, plan);
    case 'answer': {
      if (plan.afterMs > 0) await clock.sleep(plan.afterMs, closed);
      if (closed.aborted) return;
      const reply = await replyTo(spec, review, plan.corrupt);
      if (plan.bodyAfterMs === 0) return send(response, reply);
      response.writeHead(reply.code, headersOf(reply)).flushHeaders();
      await clock.sleep(plan.bodyAfterMs, closed);
      response.end(reply.body);
    }
  }
}

const send = (response: ServerResponse, reply: StubReply): void =>
  void response.writeHead(reply.code, headersOf(reply)).end(reply.body);

const headersOf = ({ contentType, body }: StubReply): Readonly<Record<string, string | number>> => ({
  'content-type': contentType,
  ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }),
});
