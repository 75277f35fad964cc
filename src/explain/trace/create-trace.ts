import type { PassedPlugins, PluginRecord } from '../../apiserver/admission/chain/outcome.ts';
import { unmatchedPolicyRecords } from '../../apiserver/admission/policies/match-resources.ts';
import type { RequestAccess } from '../../apiserver/request/admit-user.ts';
import { type ApiRequest, type ApiResponse, responseCode } from '../../apiserver/request/api-request.ts';
import type { Exchange } from '../../apiserver/request/exchange.ts';
import { type Journal, type JournalEntry, stageRecords } from '../../apiserver/request/journal.ts';
import type { RequestInfo } from '../../apiserver/request/request-info.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { sentWarnings } from '../../machinery/meta/sent-warnings.ts';
import { conversionsIn, withDroppedParts } from './conversions.ts';
import { patchBetween } from './object-states.ts';
import { tracedPolicy, tracedWebhook } from './traced-decisions.ts';
import { isDryRun, sentName, sentBody } from './sent-body.ts';
import type { Trace, TracedDecision, TracedPlugin, TracedRequest, TracedStage } from './trace.ts';

/** The parts of a finished request that its trace needs. */
export interface TraceSource {
  readonly request: Pick<ApiRequest, 'method' | 'path' | 'query' | 'headers' | 'body' | 'receivedAt'>;
  readonly info: RequestInfo;
  readonly journal: Pick<Journal, 'entries' | 'stages' | 'warnings'>;
  /** Also of a request that was not authorized. */
  readonly access: Pick<RequestAccess, 'user' | 'requester'>;
  readonly exchange?: (TracedExchange & { readonly deadline: Moment }) | undefined;
  readonly response: ApiResponse;
  readonly release?: string;
}

/** `target` is absent when the object is printed already. */
export type TracedExchange = Pick<Exchange, 'user' | 'object' | 'current'> & Partial<Pick<Exchange, 'target'>>;

/** In milliseconds since 1970. */
type Moment = Pick<Exchange['deadline'], 'at'>;

export function createTrace(finished: TraceSource, id: string, finishedAt: number): Trace {
  const { request, journal, exchange, response } = finished;
  const passes = journal.entries().filter((entry) => entry.type === 'admission');
  const status = response.type === 'status' ? response.status : null;
  return {
    traceVersion: 1,
    id,
    startedAt: request.receivedAt,
    milliseconds: finishedAt - request.receivedAt,
    ...(finished.release === undefined ? {} : { release: finished.release }),
    ...deadlineOf(exchange),
    verdict: responseCode(finished.response) < 400 ? 'admitted' : 'refused',
    request: requestOf(finished),
    stages: stagesOf(finished),
    admission: withDroppedParts(decisionsOf(passes), journal.warnings()),
    ...emptyConfigurationsIn(journal.entries()),
    ...conversionsIn(journal),
    ...objectReceivedBy(passes),
    ...concurrentWriteIn(journal),
    objectBefore: exchange?.current?.view ?? null,
    objectAfter: exchange ? printedObject(exchange) : null,
    response: { code: responseCode(finished.response), status, warnings: sentWarnings(journal.warnings()) },
    auditAnnotations: annotationsOf(finished),
  };
}

/** A refused request has its object as decoded, with the empty values that a response omits. */
export const printedObject = ({
  object,
  target,
}: Pick<TracedExchange, 'object' | 'target'>): KubernetesObject | null =>
  object && target ? target.codec.printed(object) : object;

function concurrentWriteIn(journal: TraceSource['journal']): Pick<Trace, 'concurrentWrite'> {
  const last = journal.entries().findLast((entry) => entry.type === 'concurrent-write');
  return last ? { concurrentWrite: last.by } : {};
}

/** JSON has no Infinity. */
function deadlineOf(exchange: TraceSource['exchange']): { readonly deadline?: number } {
  const deadline = exchange?.deadline.at() ?? Infinity;
  return Number.isFinite(deadline) ? { deadline } : {};
}

function requestOf({ request, info, exchange, access }: TraceSource): TracedRequest {
  const { 'user-agent': agent, 'content-type': contentType } = request.headers;
  const resource =
    info.type === 'resource'
      ? info
      : { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };
  const { group, version, subresource, namespace, name } = resource;
  return {
    method: request.method,
    path: request.path,
    query: request.query.toString(),
    verb: info.verb,
    group,
    version,
    resource: resource.resource,
    subresource,
    namespace,
    name: tracedName({ name, verb: info.verb, exchange, sent: () => sentName(request) }),
    dryRun: isDryRun(request, () => new TextDecoder().decode(request.body)),
    userAgent: typeof agent === 'string' ? agent : '',
    ...(typeof contentType === 'string' ? { contentType } : {}),
    ...sentBody(request),
    user: userOf(exchange?.user ?? access.user ?? access.requester),
  };
}

interface Named {
  readonly name: string;
  readonly verb: string;
  readonly exchange: Pick<Exchange, 'object'> | undefined;
  readonly sent: () => string;
}

/** The name in the URL, of the object, or in the body. */
export const tracedName = ({ name, verb, exchange, sent }: Named): string =>
  name || (exchange?.object?.metadata?.name ?? (verb === 'create' && !exchange?.object ? sent() : ''));

function userOf(user: RequestAccess['user']): JsonObject | null {
  if (user === undefined) return null;
  const { username, uid, groups, extra } = user;
  return { username, uid, groups, extra };
}

const stagesOf = ({ journal }: TraceSource): readonly TracedStage[] =>
  stageRecords(journal.stages()).map(({ name, startedAt, finishedAt, passed }) => ({
    name,
    startedAt,
    milliseconds: finishedAt - startedAt,
    passed,
  }));

function annotationsOf({ journal }: TraceSource): Readonly<Record<string, string>> {
  const all = journal.entries().flatMap((entry) => (entry.type === 'admission' ? entry.result.annotations : []));
  // The first value of a key wins.
  return Object.fromEntries(all.toReversed().map(({ key, value }) => [key, value]));
}

type Pass = Extract<JournalEntry, { readonly type: 'admission' }>;
type Printed = NonNullable<Pass['printed']>;

/** The object as the last attempt received it. */
function objectReceivedBy(passes: readonly Pass[]): Pick<Trace, 'objectReceived'> {
  const last = passes.findLast(({ phase }) => phase === 'mutating') ?? passes[0];
  const received = last?.result.received;
  return last === undefined || received === undefined ? {} : { objectReceived: received && printedIn(last)(received) };
}

function decisionsOf(passes: readonly Pass[]): readonly TracedDecision[] {
  let attempt = -1;
  return passes.flatMap((pass, at) => {
    const { phase, item } = pass;
    // Each attempt begins with the mutating phase; CONNECT and others may have the validating phase only.
    if (phase === 'mutating' || passes[at - 1]?.phase !== 'mutating') attempt += 1;
    const decisions = decisionsIn(pass);
    const about = { ...(attempt > 0 && { attempt }), ...item };
    return Object.keys(about).length === 0 ? decisions : decisions.map((decision) => ({ ...decision, ...about }));
  });
}

const printedIn = ({ printed }: Pass): Printed => printed ?? ((object) => object);

function decisionsIn(pass: Pass): readonly TracedDecision[] {
  const printed = printedIn(pass);
  let before = pass.result.received;
  return pass.result.records.flatMap((record): TracedDecision | readonly TracedDecision[] => {
    if (record.type === 'empty-configurations') return [];
    if (record.type === 'passed-plugins') {
      before = record.object;
      return passedPlugins(record);
    }
    if (record.type === 'unmatched-policies') return unmatchedPolicyRecords(record).map(tracedPolicy);
    if (record.type === 'webhook') {
      if (record.outcome.outcome === 'allowed' && record.outcome.changed) before = record.outcome.after;
      return tracedWebhook(record);
    }
    if (record.type === 'policy') {
      if ('after' in record.outcome && record.outcome.after !== undefined) before = record.outcome.after;
      return tracedPolicy(record);
    }
    const decision = pluginOf(record, before, printed);
    before = record.object;
    return decision;
  });
}

const passedPlugins = ({ phase, round, names, times }: PassedPlugins): readonly TracedPlugin[] =>
  names.map((name, index) => {
    const [startedAt = 0, finishedAt = 0] = times.slice(2 * index);
    return { type: 'plugin', name, phase, round, startedAt, milliseconds: finishedAt - startedAt, outcome: 'passed' };
  });

function pluginOf(record: PluginRecord, before: KubernetesObject | null | undefined, printed: Printed): TracedPlugin {
  const { plugin: name, phase, round, outcome, object, startedAt, finishedAt } = record;
  const about = { type: 'plugin', name, phase, round, startedAt, milliseconds: finishedAt - startedAt } as const;
  if (outcome.outcome === 'denied') {
    const { status, by } = outcome;
    return { ...about, outcome: 'denied', message: status.message ?? '', ...(by === undefined ? {} : { by }) };
  }
  if (!before || !object) return { ...about, outcome: 'changed' };
  const patch = patchBetween(printed(before), printed(object));
  return patch.length === 0 ? { ...about, outcome: 'passed' } : { ...about, outcome: 'changed', patch };
}

/** Empty configurations, of a kind where no configuration has webhooks. */
function emptyConfigurationsIn(entries: readonly JournalEntry[]): Pick<Trace, 'emptyConfigurations'> {
  const names = entries.flatMap((entry) =>
    entry.type === 'admission'
      ? entry.result.records.flatMap((record) => (record.type === 'empty-configurations' ? record.names : []))
      : [],
  );
  return names.length === 0 ? {} : { emptyConfigurations: [...new Set(names)] };
}
