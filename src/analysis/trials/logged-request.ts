import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import type { WorldRequest } from '../../testing/scenario/world.ts';
import { readGoDuration } from '../../machinery/go/go-duration.ts';
import { unpackedText } from '../../adapters/config/read-files.ts';
import { groupVersionPath } from '../../machinery/meta/gvk.ts';

/** A write from an audit log. */
export interface LoggedRequest {
  /** `create pods shop/web by bob`. */
  readonly title: string;
  readonly namespace: string;
  readonly request: WorldRequest;
  /** Fails unless the object exists. */
  readonly needsObject: boolean;
  /** The logged outcome. */
  readonly before: AuditBaseline;
}

export type LeftOut =
  | 'a read'
  | 'another stage'
  | 'refused in the log'
  | 'a dry run'
  | 'no body: the level is Metadata'
  | 'not an event'
  | 'a kind that is not served'
  | 'what was sent is not in the trace'
  | 'a write of the server itself'
  | 'a step without a request'
  | 'its object is not loaded';

const methods = { create: 'POST', update: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

/** Converts an audit event (audit.k8s.io/v1, level Request or RequestResponse). */
export function loggedRequest(event: unknown): LoggedRequest | LeftOut {
  if (!isJsonObject(event)) return 'not an event';
  const about = asObject(event['objectRef']);
  const verb = asString(event['verb']);
  if (!isVerb(verb) || about['resource'] === undefined) return 'a read';
  return skipReason(event, verb) ?? toLoggedRequest(event, verb, about);
}

function skipReason(event: JsonObject, verb: keyof typeof methods): LeftOut | undefined {
  const { stage, requestURI, responseStatus, requestObject: body, user } = event;
  const { code } = asObject(responseStatus);
  if (stage !== 'ResponseComplete') return 'another stage';
  // Every server writes these itself: flowschemas, servicecidrs, roles.
  if (asObject(user)['username'] === 'system:apiserver') return 'a write of the server itself';
  if (asString(requestURI).includes('dryRun=')) return 'a dry run';
  if (typeof code === 'number' && code >= 400) return 'refused in the log';
  return verb === 'delete' || isJsonObject(body) || Array.isArray(body) ? undefined : 'no body: the level is Metadata';
}

function toLoggedRequest(event: JsonObject, verb: keyof typeof methods, about: JsonObject): LoggedRequest {
  const user = asObject(event['impersonatedUser'] ?? event['user']);
  const namespace = asString(about['namespace']);
  const where = `${namespace === '' ? '' : `${namespace}/`}${asString(about['name'])}`;
  const as = { username: asString(user['username']), groups: asList(user['groups']).map(asString) };
  return {
    title: `${verb} ${asString(about['resource'])} ${where} by ${as.username}`,
    namespace,
    needsObject: verb !== 'create' || asString(about['subresource']) !== '',
    before: auditBaseline(event),
    request: {
      method: methods[verb],
      path: requestPath(about, verb),
      query: { dryRun: 'All', ...(verb === 'delete' ? {} : { fieldManager: 'kadmit-replay' }) },
      ...toBody(event['requestObject'], verb),
      as,
    },
  };
}

function toBody(body: JsonValue | undefined, verb: string): Pick<WorldRequest, 'body' | 'contentType'> {
  const contentType = verb === 'patch' ? { contentType: patchType(body) } : {};
  if (isJsonObject(body)) return { body, ...contentType };
  return Array.isArray(body) ? { body: asList(body).map(asObject), ...contentType } : {};
}

const isVerb = (verb: string): verb is keyof typeof methods => Object.hasOwn(methods, verb);

/** The log does not record the type of a patch. */
function patchType(body: unknown): string {
  if (Array.isArray(body)) return 'application/json-patch+json';
  return isJsonObject(body) && body['apiVersion'] !== undefined
    ? 'application/apply-patch+yaml'
    : 'application/merge-patch+json';
}

function requestPath(about: JsonObject, verb: string): string {
  const text = (field: string): string => encodeURIComponent(asString(about[field]));
  const root = groupVersionPath({ group: text('apiGroup'), version: text('apiVersion') });
  const scope =
    text('namespace') === '' || asString(about['resource']) === 'namespaces' ? '' : `/namespaces/${text('namespace')}`;
  const subresource = text('subresource') === '' ? '' : `/${text('subresource')}`;
  const name = verb === 'create' && subresource === '' ? '' : `/${text('name')}`;
  return `${root}${scope}/${text('resource')}${name}${subresource}`;
}

/** The creation of a dumped object. */
export function dumpedObject(object: JsonObject, path: string, namespace: string): LoggedRequest {
  const { name } = asObject(object['metadata']);
  return {
    title: `create ${asString(object['kind'])} ${namespace === '' ? '' : `${namespace}/`}${asString(name)}`,
    namespace,
    needsObject: false,
    before: { object },
    request: { method: 'POST', path, query: { dryRun: 'All', fieldManager: 'kadmit-replay' }, body: object },
  };
}

export interface AuditBaseline {
  readonly milliseconds?: number;
  /** Logged only for requests above 500 ms. */
  readonly webhookMilliseconds?: number;
  /** The response object, at level RequestResponse. */
  readonly object?: JsonObject;
}

const latencyPrefix = 'apiserver.latency.k8s.io/';

/**
 * From an audit event. Follows apiserver pkg/endpoints/filters/audit.go writeLatencyToAnnotation and
 * pkg/endpoints/request/webhook_duration.go: mutating webhooks by their sum, validating ones by the slowest; 0 is
 * omitted.
 */
function auditBaseline({
  requestReceivedTimestamp,
  stageTimestamp,
  annotations,
  responseObject,
}: JsonObject): AuditBaseline {
  const took = Date.parse(asString(stageTimestamp)) - Date.parse(asString(requestReceivedTimestamp));
  const values = asObject(annotations);
  const milliseconds = (name: string): number => readGoDuration(asString(values[`${latencyPrefix}${name}`])) ?? 0;
  const isBroken = Object.keys(values).some((name) => name.startsWith(latencyPrefix));
  return {
    ...(took >= 0 ? { milliseconds: took } : {}),
    ...(isBroken ? { webhookMilliseconds: milliseconds('mutating-webhook') + milliseconds('validating-webhook') } : {}),
    ...(isJsonObject(responseObject) && responseObject['kind'] !== 'Status' ? { object: responseObject } : {}),
  };
}

/** Longer lines are not events: kube-apiserver accepts bodies of 3 MiB. */
const maxLineLength = 16 * 1024 * 1024;

/** Streams the requests of an audit log (JSON lines, perhaps gzipped). Rejects when it cannot be read. */
export async function* logRequests(file: string): AsyncGenerator<LoggedRequest | LeftOut> {
  for await (const { one } of laneRequests(file, { index: 0, of: 1 })) yield one;
}

/** A share of a log's lines. */
export interface Lane {
  readonly index: number;
  readonly of: number;
}

/** A log entry and its position. */
export interface NumberedRequest {
  readonly at: number;
  readonly one: LoggedRequest | LeftOut;
}

/** Consecutive lines in one lane. */
const linesPerBlock = 256;

/** The requests of one lane with their line numbers. */
export async function* laneRequests(file: string, { index, of }: Lane): AsyncGenerator<NumberedRequest> {
  let at = 0;
  for await (const line of readLines(file)) {
    if (line === '') continue;
    if (Math.floor(at / linesPerBlock) % of === index) yield { at, one: loggedRequest(parseLine(line)) };
    at += 1;
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function* readLines(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of unpackedText(file)) {
    const [first = '', ...others] = piece.split('\n');
    rest += first;
    if (rest.length > maxLineLength) rest = '?';
    if (others.length === 0) continue;
    yield rest;
    yield* others.slice(0, -1);
    rest = others.at(-1) ?? '';
  }
  if (rest !== '') yield rest;
}
