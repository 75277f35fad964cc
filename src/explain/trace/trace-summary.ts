import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { AssumedVerdict } from '../../apiserver/admission/webhooks/call.ts';
import type { SkipReason } from '../../apiserver/admission/chain/skip-reason.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { Trace, Verdict } from './trace.ts';

/** One line of a list of requests: what it was, what became of it, and what lists are filtered by. */
export interface TraceSummary {
  readonly id: string;
  readonly startedAt: number;
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
  /** Of a refusal: what the client was told. */
  readonly message: string;
  readonly webhooks: WebhookNames;
  /** Who owns the object: `ReplicaSet/web-5d8f`. */
  readonly owners: readonly string[];
}

/** The webhooks that were considered, by what came of it; each name once, `skipped` those that had no call in any round. */
export interface WebhookNames {
  readonly called: readonly string[];
  readonly denied: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  /** Those of the first three that were not really asked: `--assume` says what to take for their answer. */
  readonly assumed?: readonly string[];
}

/** A summary with its place in the order in which requests ended. */
export interface NumberedSummary extends TraceSummary {
  readonly sequence: number;
}

interface WebhookOutcomeName {
  readonly name: string;
  readonly outcome: string;
  readonly assumed?: AssumedVerdict | undefined;
  readonly reason?: Pick<SkipReason, 'because'> | undefined;
}

/** The summary of a trace document; the one of a running server's log says the same. */
export function summaryOf(trace: Trace): TraceSummary {
  const { id, startedAt, milliseconds, verdict, request, response } = trace;
  const { verb, path, namespace, name, dryRun, user } = request;
  const webhooks = trace.admission.filter((decision) => decision.type === 'webhook');
  return {
    id,
    startedAt,
    milliseconds,
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

/** The owners that an object names, each as kind and name. */
export const ownersOf = (object: JsonObject | null | undefined): readonly string[] =>
  asList(asObject(object?.['metadata'])['ownerReferences'])
    .map(asObject)
    .map(({ kind, name }) => `${asString(kind)}/${asString(name)}`);

/**
 * Which webhooks a request asked and passed over, by outcome as the trace document names it. Who is never asked about
 * such objects was not passed over.
 */
export function webhookNames(all: readonly WebhookOutcomeName[]): WebhookNames {
  const webhooks = all.filter(({ reason }) => reason?.because !== 'exempt');
  const namesOf = (...outcomes: readonly string[]): readonly string[] => [
    ...new Set(webhooks.filter(({ outcome }) => outcomes.includes(outcome)).map(({ name }) => name)),
  ];
  const assumed = new Set(webhooks.flatMap((one) => (one.assumed === undefined ? [] : [one.name])));
  const asked = new Set(namesOf('called', 'denied', 'failed-open', 'failed-closed', 'refused'));
  return {
    called: namesOf('called'),
    denied: namesOf('denied'),
    failed: namesOf('failed-open', 'failed-closed'),
    skipped: namesOf('skipped').filter((name) => !asked.has(name)),
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
