import type { SkipReason } from '../../apiserver/admission/chain/skip-reason.ts';
import type { AssumedVerdict, Hold } from '../../apiserver/admission/webhooks/call.ts';
import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import type { JournalEntry } from '../../apiserver/request/journal.ts';
import type { RequestInfo } from '../../apiserver/request/request-info.ts';
import { type JsonObject, asList, asObject, asString } from '../../machinery/json/json.ts';
import { heldMilliseconds } from './sentences.ts';
import type { Trace, TracedDecision, Verdict } from './trace.ts';

/** One line of a list of requests. */
export interface TraceSummary {
  readonly id: string;
  readonly startedAt: number;
  /** Without the time at breakpoints. */
  readonly milliseconds: number;
  readonly verdict: Verdict;
  readonly code: number;
  readonly verb: string;
  readonly path: string;
  /** `pods`, `deployments.apps`, `pods/exec`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  readonly user: string;
  /** Of a refusal: the client's message. */
  readonly message: string;
  readonly webhooks: WebhookNames;
  /** `ReplicaSet/web-5d8f`. */
  readonly owners: readonly string[];
}

/** The considered webhooks by outcome, each name once; `skipped`: those without a call in any round. */
export interface WebhookNames {
  readonly called: readonly string[];
  readonly denied: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  /** Those of the first three that `--assume` answered for. */
  readonly assumed?: readonly string[];
}

/** `sequence` counts the requests in the order in which they ended. */
export interface NumberedSummary extends TraceSummary {
  readonly sequence: number;
}

interface WebhookOutcomeName {
  readonly name: string;
  readonly outcome: string;
  readonly assumed?: AssumedVerdict | undefined;
  readonly reason?: Pick<SkipReason, 'because'> | undefined;
}

/** trace-log.ts creates the same summary from its entries. */
export function summaryOf(trace: Trace): TraceSummary {
  const { id, startedAt, milliseconds, verdict, request, response } = trace;
  const { verb, path, namespace, name, dryRun, user } = request;
  const webhooks = trace.admission.filter((decision) => decision.type === 'webhook');
  return {
    id,
    startedAt,
    milliseconds: milliseconds - heldMilliseconds(holdsIn(trace)),
    verdict,
    code: response.code,
    verb,
    path,
    resource: resourceText(request),
    namespace,
    name,
    dryRun,
    user: asString(user?.['username']),
    message: verdict === 'refused' ? asString(response.status?.['message']) : '',
    webhooks: webhookNames(webhooks),
    owners: ownersOf(trace.objectAfter ?? trace.objectBefore),
  };
}

/** `kube-system/replicaset-controller` for a service account. */
export const shortUser = (user: string): string => user.replace(/^system:serviceaccount:([^:]+):(.+)$/, '$1/$2');

export const holdsIn = ({ admission }: Pick<Trace, 'admission'>): readonly Hold[] =>
  admission.flatMap((one) => (one.type === 'webhook' ? (one.holds ?? []) : []));

/** `KIND/NAME` of each owner. */
export const ownersOf = (object: JsonObject | null | undefined): readonly string[] =>
  asList(asObject(object?.['metadata'])['ownerReferences'])
    .map(asObject)
    .map(({ kind, name }) => `${asString(kind)}/${asString(name)}`);

/**
 * The webhooks by outcome, as in the trace document. Webhooks that never apply to such objects are not listed as
 * skipped.
 */
export function webhookNames(all: readonly WebhookOutcomeName[]): WebhookNames {
  const webhooks = all.filter(({ reason }) => reason?.because !== 'exempt');
  const namesOf = (...outcomes: readonly string[]): readonly string[] => [
    ...new Set(webhooks.filter(({ outcome }) => outcomes.includes(outcome)).map(({ name }) => name)),
  ];
  const assumed = new Set(webhooks.flatMap((one) => (one.assumed === undefined ? [] : [one.name])));
  const called = new Set(namesOf('called', 'denied', 'failed-open', 'failed-closed', 'refused'));
  return {
    called: namesOf('called'),
    denied: namesOf('denied'),
    failed: namesOf('failed-open', 'failed-closed'),
    skipped: namesOf('skipped').filter((name) => !called.has(name)),
    ...(assumed.size > 0 && { assumed: [...assumed] }),
  };
}

/** `deployments.apps/scale`: the resource as kubectl writes it. */
export function resourceText(of: {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}): string {
  const resource = of.group === '' ? of.resource : `${of.resource}.${of.group}`;
  return of.subresource === '' ? resource : `${resource}/${of.subresource}`;
}

interface Requested {
  readonly verb: string;
  readonly resource: string;
}

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const connections: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** Nothing is stored in these groups: SubjectAccessReview, TokenReview and others. */
const virtualGroups: readonly string[] = ['authorization.k8s.io', 'authentication.k8s.io'];

/**
 * Can `last` or `TYPE/NAME` select this request? Writes and connections, not virtual reviews, tokens or bindings of
 * Pods.
 */
export function isWriteOrConnection({ verb, resource }: Requested): boolean {
  const [name = '', subresource = ''] = resource.split('/');
  const isVirtual = virtualGroups.includes(name.slice(name.indexOf('.') + 1)) || subresource === 'token';
  const isBinding = name === 'bindings' || subresource === 'binding';
  return (writes.has(verb) && !isVirtual && !isBinding) || connections.has(subresource);
}

/** A read has a trace when a converter was called. */
export const isTraced = ({ info, journal }: Pick<FinishedRequest, 'info' | 'journal'>): boolean =>
  info.type === 'resource' &&
  (writes.has(info.verb) || connections.has(info.subresource) || journal.entries().some(isWebhookConversion));

const isWebhookConversion = (entry: JournalEntry): boolean =>
  entry.type === 'conversion' && entry.record.strategy === 'Webhook';

export const wasWriteOrConnection = (info: RequestInfo): boolean =>
  info.type === 'resource' && isWriteOrConnection({ verb: info.verb, resource: resourceText(info) });

/** The webhook, policy or plugin whose refusal the client received, or `API server`; empty for an admitted request. */
export const denierText = (trace: Trace): string =>
  trace.verdict === 'admitted' ? '' : (refusalIn(trace)?.name ?? 'API server');

/** Of several refusals the one that the client received; undefined when there is none. */
export function refusalIn({ admission, response }: Trace): TracedDecision | undefined {
  const refusals = admission.filter(({ outcome }) => refusingOutcomes.has(outcome));
  const message = response.status?.['message'];
  return refusals.find((one) => message !== undefined && messageOf(one) === message) ?? refusals[0];
}

const refusingOutcomes: ReadonlySet<TracedDecision['outcome']> = new Set(['denied', 'refused', 'failed-closed']);

const messageOf = (decision: TracedDecision): unknown =>
  decision.type === 'plugin' ? decision.message : decision.status?.['message'];

/** A 404 for an unserved path is not a Status. */
export function refusalMessage({ response: { status, code } }: Pick<Trace, 'response'>): string {
  return asString(status?.['message']) || (status === null && code === 404 ? '404 page not found' : 'no message');
}

interface Placed {
  readonly type: string;
  readonly phase: 'mutating' | 'validating';
  readonly outcome: string;
  readonly index?: number;
}

/**
 * The decisions of one round in the order considered. Validating webhooks are recorded as they finish, and `index`
 * counts only called ones: the skipped ones before a called one have its index.
 */
export function inOrderConsidered<Decision extends Placed>(decisions: readonly Decision[]): readonly Decision[] {
  const isMoved = (one: Decision): boolean => one.type === 'webhook' && one.phase === 'validating';
  const webhooks = decisions.filter(isMoved).toSorted(byPlace);
  let next = 0;
  return decisions.map((one) => {
    if (!isMoved(one)) return one;
    next += 1;
    return webhooks[next - 1] ?? one;
  });
}

const byPlace = (a: Placed, b: Placed): number =>
  (a.index ?? 0) - (b.index ?? 0) || Number(a.outcome !== 'skipped') - Number(b.outcome !== 'skipped');
