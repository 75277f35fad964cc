import { append } from '../../machinery/json/json.ts';
import type { PolicyRecord, WebhookRecord } from '../../apiserver/admission/chain/outcome.ts';
import { type ApiRequest, responseCode } from '../../apiserver/request/api-request.ts';
import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import { type StageRecord, stageRecords } from '../../apiserver/request/journal.ts';
import type { ResourceRequest } from '../../apiserver/request/request-info.ts';
import { hexOf, spanIdOfReview, traceContextOf } from './propagation.ts';
import { shownTarget } from './log.ts';

/**
 * The spans of a request under kube-apiserver's names; undefined when it is not sampled. Follows apiserver
 * pkg/endpoints/filters/traces.go and pkg/endpoints/handlers (rules TRC-1, TRC-2).
 */
export function requestSpans(finished: FinishedRequest, finishedAt: number): SpanTree | undefined {
  const { request, info } = finished;
  const context = traceContextOf(request);
  if (!context.isSampled) return undefined;
  const own = serverSpan(finished, finishedAt, context.parentId);
  const handler = info.type === 'resource' ? handlerSpan(finished, info, own) : undefined;
  const calls = webhookSpans(finished, handler ?? own);
  return {
    traceId: context.traceId,
    traceState: context.traceState,
    isParentRemote: context.parentId !== undefined,
    spans: [own, ...(handler ? [handler] : []), ...calls],
  };
}

const spanIdOf = ({ auditId }: ApiRequest, part: string): string => hexOf(`${part} ${auditId}`, 16);

function serverSpan(finished: FinishedRequest, finishedAt: number, parentId: string | undefined): Span {
  const { request, info, response } = finished;
  const code = responseCode(response);
  const agent = request.headers['user-agent'];
  return {
    name: info.type === 'resource' ? `${request.method} ${routeOf(info)}` : request.method,
    kind: 'server',
    spanId: spanIdOf(request, 'server'),
    parentId,
    startedAt: request.receivedAt,
    finishedAt,
    attributes: {
      'http.request.method': request.method,
      'http.response.status_code': code,
      'http.target': shownTarget(request),
      'url.scheme': 'https',
      'url.path': request.path,
      ...(request.remoteAddress === undefined ? {} : { 'client.address': request.remoteAddress }),
      ...(typeof agent === 'string' ? { 'user_agent.original': agent } : {}),
      'audit-id': request.auditId,
    },
    events: [],
    ...(code >= 500 ? { error: '' } : {}),
  };
}

/** `/api/v1/namespaces/{:namespace}/pods/{:name}/exec` */
function routeOf({ group, version, namespace, resource, name, subresource }: ResourceRequest): string {
  return [
    group === '' ? '/api' : `/apis/${group}`,
    `/${version}`,
    namespace === '' ? '' : '/namespaces/{:namespace}',
    `/${resource}`,
    name === '' ? '' : '/{:name}',
    subresource === '' ? '' : `/${subresource}`,
  ].join('');
}

const handlers: Readonly<Record<string, string>> = {
  get: 'Get',
  list: 'List',
  watch: 'List',
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
};

function handlerSpan(finished: FinishedRequest, info: ResourceRequest, parent: Span): Span | undefined {
  const { request, journal } = finished;
  const name = handlers[info.verb];
  const stages = stageRecords(journal.stages());
  const [first] = stages;
  if (name === undefined || !first) return undefined;
  const { group, version, namespace, resource, subresource } = info;
  return {
    name,
    kind: 'internal',
    spanId: spanIdOf(request, 'handler'),
    parentId: parent.spanId,
    startedAt: first.startedAt,
    finishedAt: Math.max(...stages.map((stage) => stage.finishedAt)),
    attributes: {
      'audit-id': request.auditId,
      verb: info.verb,
      url: request.path,
      'api-group': group,
      'api-version': version,
      namespace,
      resource,
      subresource,
      name: info.name,
      'user-agent': String(request.headers['user-agent'] ?? ''),
    },
    events: stages.flatMap(eventsOf),
  };
}

/** Upstream's events before and after some stages. */
const announced: Readonly<Record<string, readonly [before: string | undefined, after: string | undefined]>> = {
  'decode-body': ['About to convert to expected version', 'Conversion done'],
  'apply-patch': ['About to apply patch', undefined],
  'mutating-admission': ['About to check admission control', undefined],
  persist: [undefined, 'Write to database call succeeded'],
  'delete-object': ['About to delete object from database', 'Object deleted from database'],
};

function eventsOf({ name, startedAt, finishedAt, passed }: StageRecord): readonly SpanEvent[] {
  const [before, after] = announced[name] ?? [];
  const ended = passed ? after : name === 'persist' ? 'Write to database call failed' : undefined;
  return [
    ...(before === undefined ? [] : [{ name: before, at: startedAt }]),
    ...(ended === undefined ? [] : [{ name: ended, at: finishedAt }]),
  ];
}

function webhookSpans({ journal, info }: FinishedRequest, parent: Span): readonly Span[] {
  const spans: Span[] = [];
  for (const entry of journal.entries()) {
    if (entry.type !== 'admission') continue;
    const subresource = info.type === 'resource' ? info.subresource : '';
    const about = { operation: entry.pass?.operation ?? '', subresource, parent };
    for (const record of entry.result.records) {
      if (record.type === 'webhook') append(spans, callSpans(record, about));
      if (record.type === 'policy') append(spans, policySpans(record, about));
    }
  }
  return spans;
}

interface CallContext {
  readonly operation: string;
  readonly subresource: string;
  readonly parent: Span;
}

/** Upstream has no spans for policies. Policies that were not evaluated have none. */
function policySpans(record: PolicyRecord, { operation, subresource, parent }: CallContext): readonly Span[] {
  const { outcome, policy, phase, round, startedAt, finishedAt } = record;
  if (outcome.outcome === 'skipped') return [];
  const binding = record.binding ?? '';
  const params = record.params ? `${record.params.namespace}/${record.params.name}` : '';
  const id = [parent.spanId, phase, round, policy, binding, params, startedAt].join('/');
  return [
    {
      name: `Evaluate ${phase} admission policy`,
      kind: 'internal',
      spanId: hexOf(`policy ${id}`, 16),
      parentId: parent.spanId,
      startedAt,
      finishedAt,
      attributes: { policy, binding, params, operation, subresource, outcome: outcome.outcome },
      events: [],
    },
  ];
}

/** The call, and below it the HTTP request whose span id the webhook received. */
function callSpans(record: WebhookRecord, { operation, subresource, parent }: CallContext): readonly Span[] {
  const { outcome, startedAt, finishedAt } = record;
  if (!('uid' in outcome) || outcome.request === null) return [];
  const { uid, matched } = outcome;
  const { group, version, resource } = matched.resource;
  const error = 'error' in outcome ? outcome.error : undefined;
  const times = { startedAt, finishedAt };
  const call: Span = {
    ...times,
    name: `Call ${record.phase} webhook`,
    kind: 'internal',
    spanId: hexOf(`call ${uid}`, 16),
    parentId: parent.spanId,
    attributes: {
      configuration: record.configuration,
      webhook: record.webhook,
      resource: `${group}/${version}, Resource=${resource}`,
      subresource,
      operation,
      UID: uid,
    },
    events: callEvents(record),
  };
  const request: Span = {
    ...times,
    name: 'HTTP POST',
    kind: 'client',
    spanId: spanIdOfReview(uid),
    parentId: call.spanId,
    attributes: { 'http.request.method': 'POST' },
    events: [],
    error,
  };
  return [call, request];
}

function callEvents({ outcome, finishedAt }: WebhookRecord): readonly SpanEvent[] {
  if (outcome.outcome === 'denied') return [{ name: 'Request completed', at: finishedAt }];
  if (outcome.outcome !== 'allowed') return [];
  const patched = outcome.patch === null ? [] : [{ name: 'Patch applied', at: finishedAt }];
  return [{ name: 'Request completed', at: finishedAt }, ...patched];
}

/** A finished span; milliseconds since 1970, with fractions. */
export interface Span {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly spanId: string;
  /** undefined for a root span. */
  readonly parentId: string | undefined;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly events: readonly SpanEvent[];
  /** undefined when it did not fail. */
  readonly error?: string | undefined;
}

interface SpanEvent {
  readonly name: string;
  readonly at: number;
}

export interface SpanTree {
  readonly traceId: string;
  readonly traceState: string | undefined;
  readonly isParentRemote: boolean;
  /** The request's own span first. */
  readonly spans: readonly Span[];
}
