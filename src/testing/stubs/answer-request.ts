import { unescaped } from '../../machinery/json/unescaped.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../machinery/clock.ts';
import { asString, valueAt } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { resetConnection, untilClosed } from './stub-listener.ts';
import { failedReply, readReviewBody, replyTo } from './stub-reply.ts';
import type { StubReply } from './stub-reply.ts';
import type { Switchboard, Turn } from './switchboard.ts';

export interface RequestPorts {
  readonly switchboard: Switchboard;
  readonly clock: Clock;
  /** Calls that were counted before they were sent, by the uid of their review. */
  readonly expected: ReadonlyMap<string, Turn>;
}

/** Answers one request to `/CONFIGURATION/WEBHOOK`, or one whose call was announced, as its plan says. */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  ports: RequestPorts,
): Promise<void> {
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
