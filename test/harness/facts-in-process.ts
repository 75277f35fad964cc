import type { CallWebhook } from '../../src/apiserver/admission/webhooks/call.ts';
import { knownGaps } from '../known-gaps.ts';
import type { Conversation, Step, StubAnswer } from './conversation.ts';
import { createNormaliser } from './normalise.ts';
import { stubResponse } from './stub-response.ts';
import type { WorldAnswer } from './world-answer.ts';

/** Behaviour of the HTTP server: encoding, authentication, audit events, and time. Only the system tests play it. */
const needsHttpServer = ({ headers, timed, path = '' }: Step): boolean =>
  headers !== undefined || timed === true || /[?&]watch=/.test(path);

/** Resources that are documents instead of kinds of the catalogue. */
const isDocument = ({ path = '' }: Step): boolean => !/^\/apis?\/(?:v1|[^/]+\/[^/]+)\/./.test(path);

/** Sockets, certificates and timeouts of webhooks, controllers, and expressions that exceed their cost budget. */
const needsSockets = (name: string, text: string): boolean =>
  /"(?:reset|hang|delayMs)"|customresourcedefinitions|"name":"[a-z]+-cost-/.test(text) ||
  /^(?:failure|crd-webhooks|conversion|response-http-30\d|response-warnings-(?:long|odd))-/.test(name);

const gaps = new Set(knownGaps.flatMap(({ facts = [] }) => facts));

/** Whether a conversation can be played without sockets. */
export function runsInProcess({ name, text }: { readonly name: string; readonly text: string }): boolean {
  if (gaps.has(name) || needsSockets(name, text)) return false;
  const { steps }: Conversation['case'] = JSON.parse(text).case;
  return !steps.some((step) => needsHttpServer(step) || (step.do !== undefined && isDocument(step)));
}

const namespace = 'c-777';

/** A world without sockets, whose webhooks are stubs. */
export interface FactsWorld {
  readonly send: (
    method: string,
    path: string,
    body: unknown,
    more: { readonly contentType: string; readonly headers: Readonly<Record<string, string>> },
  ) => Promise<WorldAnswer>;
  readonly calls: readonly { readonly request: unknown }[];
}

/** Status, warnings and body of each compared step. `caBundle` is any certificate. */
export async function runInWorld(
  { case: script }: Pick<Conversation, 'case'>,
  world: FactsWorld,
  caBundle: string,
): Promise<readonly unknown[]> {
  const normalise = createNormaliser(namespace, caBundle);
  const inNamespace = (text: string): string => text.replaceAll('$NS', namespace).replaceAll('$CA', caBundle);
  const send = (step: Step): Promise<WorldAnswer> => {
    const path = String(step.path).replaceAll('$NS', namespace);
    const body: unknown = step.body === undefined ? undefined : JSON.parse(inNamespace(JSON.stringify(step.body)));
    const contentType = step.contentType ?? 'application/json';
    return world.send(step.do ?? '', path, body, { contentType, headers: { 'user-agent': 'conform/1.0' } });
  };
  if (script.namespace !== false) {
    const metadata = { name: namespace, labels: script.namespaceLabels };
    await send({ do: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata } });
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    await send({ do: 'POST', path: '/api/v1/namespaces/$NS/serviceaccounts', body: account });
  }
  const exchanges: unknown[] = [];
  for (const step of script.steps) {
    if (step.do === undefined) continue;
    const before = world.calls.length;
    const { code, body, warnings } = await send(step);
    if (step.setup === true && code < 400) continue;
    // The HTTP server sends each warning once.
    const shown = [...new Set(warnings)].map((text) => `299 - ${JSON.stringify(text)}`);
    const calls = world.calls.slice(before).map(({ request }) => request);
    const answer = { status: code, warnings: shown, body: JSON.parse(JSON.stringify(body)) };
    // Webhooks receive uids too, which count for the numbers of the transcript.
    const { calls: _calls, ...exchange } = Object(normalise({ ...answer, calls }));
    exchanges.push(exchange);
  }
  return exchanges;
}

/** Calls each webhook, then responds as the stub at its path. */
export const callStubs =
  (stubs: Readonly<Record<string, StubAnswer>>) =>
  (record: CallWebhook): CallWebhook => {
    const counts = new Map<string, number>();
    return async (call) => {
      await record(call);
      const path = call.clientConfig.url === undefined ? '' : new URL(call.clientConfig.url).pathname;
      const round = (counts.get(path) ?? 0) + 1;
      counts.set(path, round);
      const response = stubResponse(stubs[path] ?? {}, { review: JSON.parse(call.body), round });
      const body = new TextEncoder().encode(response.body);
      return { outcome: 'answered', code: response.status, contentType: response.headers['content-type'], body };
    };
  };
