import { errorText } from '../../machinery/error-text.ts';
import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonDocument, JsonObject } from '../../machinery/json/json.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { formatMicroTime } from '../../machinery/meta/time.ts';
import { userInfoJson } from '../../apiserver/auth/user.ts';
import type { UserInfo } from '../../apiserver/auth/user.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Access } from '../../apiserver/request/admit-user.ts';
import type { Finished } from '../../apiserver/request/handle.ts';
import type { RequestInfo } from '../../apiserver/request/request-info.ts';
import { timeIsUp } from '../../apiserver/request/time-is-up.ts';
import { responseCode } from '../../apiserver/request/response-code.ts';
import { annotationsOf } from './annotations.ts';
import { sentBody, withoutManagedFields } from './bodies.ts';
import type { SentBody } from './bodies.ts';
import { isAtLeast } from './policy.ts';
import type { AuditScope, AuditStage, Level } from './policy.ts';
import { sourceIps } from './source-ips.ts';

/** An event about to be written. */
export interface EventFacts {
  readonly scope: AuditScope;
  readonly stage: AuditStage;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly isDeprecated: boolean;
}

/** The line of a request that has just come. Follows apiserver pkg/endpoints/filters/audit.go. */
export const receivedEvent = (
  request: ApiRequest,
  info: RequestInfo,
  requester: UserInfo,
  { level }: AuditScope,
): string =>
  writeJsonForGo({
    ...headOf({ level, stage: 'RequestReceived' }, request, info, requester),
    ...originOf(request),
    ...objectRefOf(info),
    ...timesOf(request, request.receivedAt),
  });

/**
 * The line of a request that was answered; undefined for one that kube-apiserver could not print either.
 * Follows apiserver pkg/endpoints/filters/audit.go and pkg/audit/request.go; the fields are those of
 * pkg/apis/audit/v1/types.go, in their order.
 */
export function answeredEvent(finished: Finished, { scope, stage, at, isDeprecated }: EventFacts): string | undefined {
  const { request, info, access, response } = finished;
  const { level } = scope;
  const sent = sentBody(finished);
  if (sent.outcome === 'unprintable' && isAtLeast(level, 'Request')) return undefined;
  const finishedAt = stage === 'ResponseComplete' && response.type !== 'watch' ? at : undefined;
  const annotations = annotationsOf(finished, { level, isDeprecated, finishedAt });
  return writeJsonForGo({
    ...headOf({ level, stage }, request, info, access.requester),
    ...impersonatedOf(access),
    ...originOf(request),
    ...objectRefOf(info, finished.exchange?.sent),
    responseStatus: statusOf(finished),
    ...bodiesOf(sent, response, scope),
    ...timesOf(request, at),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  });
}

const impersonatedOf = ({ requester, user, constraint }: Access): JsonObject =>
  user && user !== requester
    ? {
        impersonatedUser: userInfoJson(user),
        ...(constraint === undefined ? {} : { authenticationMetadata: { impersonationConstraint: constraint } }),
      }
    : {};

/** What was sent and what was answered, as far as the level shows them. */
function bodiesOf(sent: SentBody, response: ApiResponse, { level, omitManagedFields }: AuditScope) {
  const shown = (object: JsonDocument): JsonDocument =>
    omitManagedFields && isJsonObject(object) ? withoutManagedFields(object) : object;
  const heard = responseObject(response);
  return {
    ...(sent.outcome === 'object' && isAtLeast(level, 'Request') ? { requestObject: shown(sent.object) } : {}),
    ...(heard && isAtLeast(level, 'RequestResponse') ? { responseObject: shown(heard) } : {}),
  };
}

interface Head {
  readonly level: Level;
  readonly stage: AuditStage;
}

const headOf = (
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

const longestAgent = 1024;

function originOf(request: ApiRequest): JsonObject {
  const addresses = sourceIps(request);
  const agent = request.headers['user-agent'];
  const text = typeof agent === 'string' ? agent : '';
  return {
    ...(addresses.length === 0 ? {} : { sourceIPs: addresses }),
    ...(text === ''
      ? {}
      : { userAgent: text.length > longestAgent ? `${text.slice(0, longestAgent)}...TRUNCATED` : text }),
  };
}

/** What the request is about; where the URL is silent, what its object says of itself. */
function objectRefOf(info: RequestInfo, sent?: JsonObject): JsonObject {
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

const timesOf = ({ receivedAt }: ApiRequest, at: number): JsonObject => ({
  requestReceivedTimestamp: formatMicroTime(receivedAt),
  stageTimestamp: formatMicroTime(at),
});

/** The fields of a Status that an event repeats, in Go's order. */
const statusFields = ['status', 'message', 'reason', 'details'] as const;

function statusOf({ response, bug }: Finished): JsonObject {
  if (bug) {
    const message = `APIServer panic'd: ${errorText(bug.error)}`;
    return { metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 };
  }
  const object = responseObject(response);
  const status = object?.['kind'] === 'Status' && object['apiVersion'] === 'v1' ? object : {};
  const told = statusFields.flatMap((field) => (status[field] === undefined ? [] : [[field, status[field]] as const]));
  return { metadata: {}, ...Object.fromEntries(told), code: responseCode(response) };
}

/**
 * Of a request that its own timeout ends, an event has what the handler says, not what the timeout filter sent to the client.
 * Follows apiserver pkg/server/filters/timeout.go and pkg/endpoints/handlers/finisher/finisher.go.
 */
function responseObject(response: ApiResponse): JsonObject | undefined {
  if (response.type === 'status') return response.status === timeIsUp.request ? timeIsUp.handler : response.status;
  return response.type === 'object' ? response.body : undefined;
}
