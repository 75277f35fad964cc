import { type UserInfo, userInfoJson } from '../../apiserver/auth/user.ts';
import type { RequestAccess } from '../../apiserver/request/admit-user.ts';
import { type ApiRequest, type ApiResponse, responseCode } from '../../apiserver/request/api-request.ts';
import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import type { RequestInfo } from '../../apiserver/request/request-info.ts';
import { type Exchange, timeIsUp } from '../../apiserver/request/exchange.ts';
import { stageRecords } from '../../apiserver/request/journal.ts';
import { isApplyPatch } from '../../apiserver/request/stages/read-options.ts';
import { errorText } from '../../machinery/errors.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import { sortedJson, writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { type JsonDocument, type JsonObject, isJsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { formatMicroTime } from '../../machinery/meta/time.ts';
import { collectAnnotations } from './annotations.ts';
import { type AuditScope, type AuditStage, type Level, isAtLeast } from './policy.ts';

interface EventFacts {
  readonly scope: AuditScope;
  readonly stage: AuditStage;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly isDeprecated: boolean;
}

/** The event of a received request. Follows apiserver pkg/endpoints/filters/audit.go. */
export const renderReceivedEvent = (
  request: ApiRequest,
  info: RequestInfo,
  requester: UserInfo,
  { level }: AuditScope,
): string =>
  writeJsonForGo({
    ...headFields({ level, stage: 'RequestReceived' }, request, info, requester),
    ...originFields(request),
    ...objectRefField(info),
    ...timestampFields(request, request.receivedAt),
  });

/**
 * The event of a completed request; undefined when upstream cannot encode it either. Follows apiserver
 * pkg/endpoints/filters/audit.go and pkg/audit/request.go; fields in the order of pkg/apis/audit/v1/types.go.
 */
export function renderFinishedEvent(
  finished: FinishedRequest,
  { scope, stage, at, isDeprecated }: EventFacts,
): string | undefined {
  const { request, info, access, response } = finished;
  const { level } = scope;
  const sent = sentBody(finished);
  if (sent.outcome === 'unprintable' && isAtLeast(level, 'Request')) return undefined;
  const finishedAt = stage === 'ResponseComplete' && response.type !== 'watch' ? at : undefined;
  const annotations = collectAnnotations(finished, { level, isDeprecated, finishedAt });
  return writeJsonForGo({
    ...headFields({ level, stage }, request, info, access.requester),
    ...impersonationFields(access),
    ...originFields(request),
    ...objectRefField(info, finished.exchange?.sent),
    responseStatus: responseStatus(finished),
    ...bodyFields(sent, response, scope),
    ...timestampFields(request, at),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  });
}

const impersonationFields = ({ requester, user, constraint }: RequestAccess): JsonObject =>
  user && user !== requester
    ? {
        impersonatedUser: userInfoJson(user),
        ...(constraint === undefined ? {} : { authenticationMetadata: { impersonationConstraint: constraint } }),
      }
    : {};

/** Request and response bodies, as far as the level includes them. */
function bodyFields(sent: SentBody, response: ApiResponse, { level, omitManagedFields }: AuditScope) {
  const shown = (object: JsonDocument): JsonDocument =>
    omitManagedFields && isJsonObject(object) ? withoutManagedFields(object) : object;
  const sentObject = responseObject(response);
  return {
    ...(sent.outcome === 'object' && isAtLeast(level, 'Request') ? { requestObject: shown(sent.object) } : {}),
    ...(sentObject && isAtLeast(level, 'RequestResponse') ? { responseObject: shown(sentObject) } : {}),
  };
}

interface Head {
  readonly level: Level;
  readonly stage: AuditStage;
}

const headFields = (
  { level, stage }: Head,
  request: ApiRequest,
  info: RequestInfo,
  user: UserInfo | undefined,
): JsonObject => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level,
  auditID: request.auditId,
  stage,
  requestURI: request.target ?? uriOf(request),
  verb: info.verb,
  user: user ? userInfoJson(user) : {},
});

const uriOf = ({ path, query }: ApiRequest): string => (query.size === 0 ? path : `${path}?${query.toString()}`);

const maxAgentLength = 1024;

function originFields(request: ApiRequest): JsonObject {
  const addresses = sourceIps(request);
  const agent = request.headers['user-agent'];
  const text = typeof agent === 'string' ? agent : '';
  return {
    ...(addresses.length === 0 ? {} : { sourceIPs: addresses }),
    ...(text === ''
      ? {}
      : { userAgent: text.length > maxAgentLength ? `${text.slice(0, maxAgentLength)}...TRUNCATED` : text }),
  };
}

/** The objectRef; the object fills in what the URL lacks. */
function objectRefField(info: RequestInfo, sent?: JsonObject): JsonObject {
  if (info.type !== 'resource') return {};
  const { resource, group, version, subresource } = info;
  const metadata = isJsonObject(sent?.['metadata']) ? sent['metadata'] : {};
  const { uid, resourceVersion } = metadata;
  const parts = {
    resource,
    namespace: info.namespace || metadata['namespace'],
    name: info.name || metadata['name'],
    uid,
    apiGroup: group,
    apiVersion: version,
    resourceVersion,
    subresource,
  };
  return {
    objectRef: Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== '' && value !== undefined)),
  };
}

const timestampFields = ({ receivedAt }: ApiRequest, at: number): JsonObject => ({
  requestReceivedTimestamp: formatMicroTime(receivedAt),
  stageTimestamp: formatMicroTime(at),
});

/** In Go's order. */
const statusFields = ['status', 'message', 'reason', 'details'] as const;

function responseStatus({ response, bug }: FinishedRequest): JsonObject {
  if (bug) {
    const message = `APIServer panic'd: ${errorText(bug.error)}`;
    return { metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 };
  }
  const object = responseObject(response);
  const status = object?.['kind'] === 'Status' && object['apiVersion'] === 'v1' ? object : {};
  const shown = statusFields.flatMap((field) => (status[field] === undefined ? [] : [[field, status[field]] as const]));
  return { metadata: {}, ...Object.fromEntries(shown), code: responseCode(response) };
}

/**
 * When the request's own timeout ends it, the event has the handler's response, not the one of the timeout filter.
 * Follows apiserver pkg/server/filters/timeout.go and pkg/endpoints/handlers/finisher/finisher.go.
 */
function responseObject(response: ApiResponse): JsonObject | undefined {
  if (response.type === 'status') return response.status === timeIsUp.request ? timeIsUp.handler : response.status;
  return response.type === 'object' ? response.body : undefined;
}

/** The addresses that proxies report, then the peer's. Follows apimachinery pkg/util/net/http.go SourceIPs. */
function sourceIps({ headers, remoteAddress }: Pick<ApiRequest, 'headers' | 'remoteAddress'>): readonly string[] {
  const forwarded = textOf(headers['x-forwarded-for'])
    .split(',')
    .map((part) => part.trim())
    .filter(isAddress);
  const real = textOf(headers['x-real-ip']).trim();
  const addresses = isAddress(real) && !forwarded.includes(real) ? [...forwarded, real] : forwarded;
  const peer = (remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
  return peer === '' || addresses.at(-1) === peer ? addresses : [...addresses, peer];
}

const textOf = (header: string | readonly string[] | undefined): string =>
  header === undefined ? '' : typeof header === 'string' ? header : header.join(',');

const isAddress = (text: string): boolean =>
  /^[\d.]+$/.test(text) || (text.includes(':') && /^[\da-fA-F:.]*$/.test(text));

type SentBody =
  | { readonly outcome: 'none' }
  | { readonly outcome: 'object'; readonly object: JsonDocument }
  /** Upstream cannot encode such an event and drops it. */
  | { readonly outcome: 'unprintable' };

/**
 * The object as decoded, before anything changed it; a patch as sent; delete options in their internal version.
 * Follows apiserver pkg/audit/request.go and pkg/endpoints/handlers (rule AUD-1).
 */
function sentBody(finished: FinishedRequest): SentBody {
  const { request, info, exchange } = finished;
  if (!exchange?.target) return none;
  if (info.verb === 'patch') return patchBody(finished, exchange);
  if (exchange.sent) return { outcome: 'object', object: exchange.sent };
  const hasOptions = request.body.length > 0 && (info.verb === 'delete' || info.verb === 'deletecollection');
  return hasOptions ? optionsBody(request.body) : none;
}

/**
 * Upstream logs a patch after it has read its options, since 1.37 an apply as JSON; before, it cannot encode the event of
 * one that is YAML, broken JSON or empty.
 */
function patchBody({ request, journal }: FinishedRequest, exchange: Exchange): SentBody {
  const stages = stageRecords(journal.stages());
  const passed = (name: string): boolean | undefined => stages.find((stage) => stage.name === name)?.passed;
  if (passed('read-options') !== true || passed('check-patch-body') === false) return none;
  const { patch } = exchange;
  if (patch) {
    const { value } = patch.json;
    return { outcome: 'object', object: isApplyPatch(exchange) ? sortedDocument(value) : value };
  }
  const read = readText(request.body);
  return read ? { outcome: 'object', object: read.value } : { outcome: 'unprintable' };
}

/** As Go prints it from maps. */
function sortedDocument(value: JsonDocument): JsonDocument {
  const reading = readJson(sortedJson(plainValue(value)));
  return reading.outcome === 'read' ? reading.json.value : value;
}

function optionsBody(body: Uint8Array): SentBody {
  const read = readText(body);
  if (!read || !isJsonObject(read.value)) return none;
  const { kind: _kind, apiVersion: _apiVersion, ...options } = read.value;
  return { outcome: 'object', object: { ...deleteOptions, ...options } };
}

const none: SentBody = { outcome: 'none' };
/** Upstream decodes them into the internal version. */
const deleteOptions = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' };

function readText(body: Uint8Array): { readonly value: JsonDocument } | undefined {
  const reading = readJson(new TextDecoder().decode(body));
  return reading.outcome === 'read' ? { value: reading.json.value } : undefined;
}

/** Also removes those of list items. */
function withoutManagedFields(object: JsonObject): JsonObject {
  const { items } = object;
  const bare = withoutOwnManagedFields(object);
  return Array.isArray(items)
    ? { ...bare, items: items.map((item) => (isJsonObject(item) ? withoutOwnManagedFields(item) : item)) }
    : bare;
}

function withoutOwnManagedFields(object: JsonObject | KubernetesObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return object;
  const { managedFields: _dropped, ...rest } = metadata;
  return { ...object, metadata: rest };
}
