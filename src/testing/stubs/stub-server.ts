import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../machinery/clock.ts';
import { asString, valueAt } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { unescaped } from '../../machinery/json/unescaped.ts';
import type { Plan } from './plan.ts';
import type { StubCertificates, TlsFlaw } from './stub-certificates.ts';
import { deadPort, openFront, openListener, resetConnection, untilClosed } from './stub-listener.ts';
import type { Listener } from './stub-listener.ts';
import { failedReply, readReviewBody, replyTo } from './stub-reply.ts';
import type { StubReply } from './stub-reply.ts';
import type { Switchboard, Turn } from './switchboard.ts';
import type { WebhookSpec } from './webhook-spec.ts';

export interface StubServerOptions {
  readonly switchboard: Switchboard;
  /** May serve several worlds: `createStubCertificates`. */
  readonly certificates: StubCertificates;
  /** A real one: clients out there have no other. */
  readonly clock: Clock;
  /** Where to listen; 127.0.0.1 unless another machine is to call. */
  readonly host?: string;
  /** Under which name or address clients call; the host unless something else is said. */
  readonly name?: string;
}

/** What goes into a webhook's clientConfig so that another server calls the stub. */
export interface StubAddress {
  readonly url: string;
  readonly caBundle: string;
}

/** The stubs of a switchboard behind real TLS, on free ports that are opened when they are first needed. */
export interface StubServer {
  /** Where it listens. */
  readonly host: string;
  readonly caBundle: () => Promise<string>;
  /** Where to open the connection for a call whose plan is known, and as whom the stub must identify itself. */
  readonly portFor: (plan: Plan, serverName: string) => Promise<number>;
  /** Announces a call whose plan is known already: the request with this uid is not counted again. */
  readonly expect: (uid: string, turn: Turn) => void;
  readonly forget: (uid: string) => void;
  /**
   * The address of a webhook for a server elsewhere. Faults below HTTP are chosen when a connection is accepted, so those
   * that are for some namespaces cannot happen; a refusal or a missing name is true to life only when it is for every
   * call, and asked for before the address is; else the connection is reset. Ask again after faults are configured.
   */
  readonly addressOf: (configuration: string, webhook: string) => Promise<StubAddress>;
  readonly close: () => Promise<void>;
}

export function startStubServer(options: StubServerOptions): StubServer {
  const { switchboard, certificates, clock, host = '127.0.0.1', name = host } = options;
  const expected = new Map<string, Turn>();
  const opened = new Map<string, Promise<Pick<Listener, 'port' | 'close'>>>();

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // A client that hangs up in the middle has no use for an answer.
    answerRequest(request, response, { switchboard, clock, expected }).catch(() => response.destroy());
  };
  const once = <L extends Pick<Listener, 'port' | 'close'>>(key: string, open: () => Promise<L>): Promise<L> => {
    const known = (opened.get(key) as Promise<L> | undefined) ?? open();
    opened.set(key, known);
    return known;
  };
  const listener = (flaw: TlsFlaw, serverName: string): Promise<Listener> =>
    once(`${flaw ?? ''} ${serverName}`, () => openListener({ host, flaw, serverName, certificates, answer }));

  const accept = (socket: Socket, configuration: string, webhook: string): void => {
    const flaw = flawOfConnection(options, configuration, webhook);
    if (flaw === 'reset') return void socket.resetAndDestroy();
    listener(flaw, name).then(
      ({ adopt }) => adopt(socket),
      () => socket.destroy(),
    );
  };
  const front = (configuration: string, webhook: string): Promise<Pick<Listener, 'port' | 'close'>> =>
    once(`front ${configuration}/${webhook}`, () =>
      openFront(host, (socket) => accept(socket, configuration, webhook)),
    );
  return {
    host,
    caBundle: certificates.caBundle,
    portFor: async (plan, serverName) => {
      if (plan.type === 'break' && plan.how === 'refuse') return deadPort(host);
      return (await listener(flawOf(plan), isIP(serverName) === 0 ? name : serverName)).port;
    },
    expect: (uid, turn) => void expected.set(uid, turn),
    forget: (uid) => void expected.delete(uid),
    addressOf: async (configuration, webhook) => {
      const path = [configuration, webhook].map(encodeURIComponent).join('/');
      const always = permanentBreak(switchboard.find(webhook, configuration));
      const port = always === 'refuse' ? await deadPort(host) : (await front(configuration, webhook)).port;
      const authority = always === 'dns' ? `no-such-host.kadmit.invalid:${port}` : `${bracketed(name)}:${port}`;
      return { url: `https://${authority}/${path}`, caBundle: await certificates.caBundle() };
    },
    close: async () => {
      const all = [...opened.values()];
      opened.clear();
      await Promise.allSettled(all.map(async (one) => (await one).close()));
    },
  };
}

const bracketed = (name: string): string => (name.includes(':') ? `[${name}]` : name);

function flawOf(plan: Plan | undefined): TlsFlaw {
  if (plan?.type !== 'break') return undefined;
  const { how } = plan;
  return how === 'refuse' || how === 'reset' || how === 'dns' ? undefined : how;
}

/** What goes wrong with a connection that a server elsewhere has opened. A call that ends here is counted here. */
function flawOfConnection(
  { switchboard, clock }: StubServerOptions,
  configuration: string,
  webhook: string,
): TlsFlaw | 'reset' {
  const plan = switchboard.upcoming(webhook, configuration);
  // A reset that shows a real server's text comes after the request.
  if (plan?.type !== 'break' || plan.how === 'reset') return undefined;
  switchboard.receive({ webhook, configuration, at: clock.now(), review: {} });
  return flawOf(plan) ?? 'reset';
}

/** What goes wrong with each and every call. */
function permanentBreak(spec: WebhookSpec | undefined): string | undefined {
  const [first] = spec?.faults ?? [];
  if (!first || first.calls || first.namespaces || first.probability !== undefined) return undefined;
  return first.what.type;
}

interface RequestPorts {
  readonly switchboard: Switchboard;
  readonly clock: Clock;
  /** Calls that were counted before they were sent, by the uid of their review. */
  readonly expected: ReadonlyMap<string, Turn>;
}

/** Answers one request to `/CONFIGURATION/WEBHOOK`, or one whose call was announced, as its plan says. */
async function answerRequest(request: IncomingMessage, response: ServerResponse, ports: RequestPorts): Promise<void> {
  const review = readReviewBody(await text(request));
  if (!review) return send(response, failedReply(400, 'this is a webhook: send it an AdmissionReview'));
  const announced = ports.expected.get(asString(valueAt(review, 'request', 'uid')));
  const turn = announced ?? turnOf(request, review, ports);
  if (!turn) return send(response, failedReply(404, `no stub answers ${request.url ?? ''}`));
  // Each call is to come on a connection of its own: some faults are chosen when it is opened.
  if (!announced) response.setHeader('connection', 'close');
  await carryOut(turn, { request, response, review, clock: ports.clock });
}

function turnOf(
  { url = '' }: IncomingMessage,
  review: JsonObject,
  { switchboard, clock }: RequestPorts,
): Turn | undefined {
  const [, configuration, webhook] = /^\/([^/?]+)\/([^/?]+)/.exec(url) ?? [];
  if (configuration === undefined || webhook === undefined) return undefined;
  const [name, from] = [webhook, configuration].map(unescaped);
  return switchboard.receive({ webhook: name ?? '', configuration: from, at: clock.now(), review });
}

interface StubRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly review: JsonObject;
  readonly clock: Clock;
}

/** What should have kept a request from arriving resets it. */
async function carryOut({ spec, plan }: Turn, { request, response, review, clock }: StubRequest): Promise<void> {
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
      const reply = await replyTo(spec, review, plan.spoil);
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
