import type { Deadline } from '../../machinery/meta/deadline.ts';
import type { JsonText } from '../../machinery/json/json-reader.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { emptyList } from '../../machinery/lists.ts';
import { type Status, timeoutError } from '../../machinery/meta/status.ts';
import type { UserInfo } from '../auth/user.ts';
import type { ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import type { BegunWrite } from '../../api/strategy/strategy.ts';
import type { StoredObject } from '../storage/storage.ts';
import type { YieldIfLong } from '../../machinery/clock.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import type { Journal } from './journal.ts';
import type { RequestInfo, ResourceRequest } from './request-info.ts';
import type { DecodedWriteOptions, TimeLimit } from './write-options.ts';
import type { CustomServer } from '../custom-resources/serve-custom.ts';

/** The state of one request; stages return a new one. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly journal: Journal;
  readonly progress: ExchangeProgress;
  readonly yieldIfLong: YieldIfLong;
  readonly user: UserInfo;
  /** null for URLs without a resource. */
  readonly target: RequestTarget | null;
  readonly options: DecodedWriteOptions;
  /** For webhooks. */
  readonly deadline: Deadline;
  readonly deadlineSource: TimeLimit['by'];
  /** As sent, then as each stage left it; in the version of the request. */
  readonly object: KubernetesObject | null;
  /** As decoded, with defaults; undefined without a body object. */
  readonly sent: KubernetesObject | undefined;
  /** Of a patch, since 1.37. */
  readonly patch: PatchBody | undefined;
  /** The stored object in the version of the request; null for none. */
  readonly current: Current | null;
  readonly response: ApiResponse | null;
}

/** Its body as JSON. */
export interface PatchBody {
  readonly json: JsonText;
  /** Errors of Go's YAML reader about duplicate keys of an apply. */
  readonly duplicates: readonly string[];
}

/** Shared by all exchanges of a request. */
export interface ExchangeProgress {
  refusal: Status | undefined;
  /** The exchange of the refusing stage. */
  reached: Exchange | undefined;
  /** Allocations of the current attempt. */
  begun: BegunWrite | undefined;
}

export interface RequestTarget extends CustomServer {
  readonly info: ResourceRequest;
  readonly resource: ResourceInfo;
}

export interface Current extends StoredObject {
  readonly view: KubernetesObject;
  /** Of a Scale: its parent in its storage version. */
  readonly parent?: KubernetesObject;
}

/** Throws for a missing part: stages are in a wrong order. */
export function requirePart<T>(part: T | null, name: string): T {
  if (part === null) throw new Error(`no ${name} at this stage`);
  return part;
}

export const withParts = (exchange: Exchange, parts: Partial<Exchange>): Exchange => ({ ...exchange, ...parts });

export const withObject = (exchange: Exchange, object: KubernetesObject | null): Exchange =>
  exchange.object === object ? exchange : withParts(exchange, { object });

/** Later stages pass it on unchanged. */
export const withResponse = (
  exchange: Exchange,
  code: number,
  body: JsonObject,
  object: KubernetesObject | null = exchange.object,
): Exchange => withParts(exchange, { object, response: { type: 'object', code, body, warnings: emptyList } });

/**
 * Follows apiserver pkg/server/filters/timeout.go (rule FAIL-44) and pkg/endpoints/handlers/finisher/finisher.go (rule
 * FAIL-43).
 */
export const timeIsUp: Readonly<Record<TimeLimit['by'], Status>> = {
  request: timeoutError('request did not complete within the allotted timeout'),
  handler: timeoutError('request did not complete within requested timeout - context deadline exceeded'),
};

/** undefined before the deadline. */
export const lateRefusal = ({ journal, deadline, deadlineSource }: Exchange): Status | undefined =>
  journal.now() >= deadline.at() ? timeIsUp[deadlineSource] : undefined;
