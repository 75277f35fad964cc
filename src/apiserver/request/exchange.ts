import type { Deadline } from '../../machinery/meta/deadline.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { nothing } from '../../machinery/together.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { UserInfo } from '../auth/user.ts';
import type { FieldManager } from '../../api/apply/field-manager.ts';
import type { ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import type { Codec } from '../../api/codec/codec.ts';
import type { Begun, Strategy } from '../../api/strategy/strategy.ts';
import type { Stored } from '../storage/storage.ts';
import type { YieldIfLong } from '../../machinery/yield-if-long.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import type { Journal } from './journal.ts';
import type { RequestInfo, ResourceRequest } from './request-info.ts';
import type { TimeLimit, WriteOptions } from './write-options.ts';

/** A request on its way: what is known of it so far. Stages return a new one. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly journal: Journal;
  readonly progress: Progress;
  readonly yieldIfLong: YieldIfLong;
  readonly user: UserInfo;
  /** Set once the URL was found to name a resource. */
  readonly target: Target | null;
  readonly options: WriteOptions;
  /** When webhooks must be done. */
  readonly deadline: Deadline;
  /** Who says so when they are not. */
  readonly timedBy: TimeLimit['by'];
  /** The object as the client wants it, then as each stage left it; in the version of the request. */
  readonly object: KubernetesObject | null;
  /** The object of the body as it was decoded, with defaults; undefined when the body is none. */
  readonly sent: KubernetesObject | undefined;
  /** What is stored now, in the version of the request; null when nothing is. */
  readonly current: Current | null;
  readonly response: ApiResponse | null;
}

/** How far a refused request came: for the trace, which shows the object as it was then. */
export interface Progress {
  readonly refusal?: Status;
  readonly reached?: Exchange;
  /** What the attempt to write that is under way has begun. */
  readonly begun?: Begun;
}

/** The resource a request is about. */
export interface Target {
  readonly info: ResourceRequest;
  readonly resource: ResourceInfo;
  readonly strategy: Strategy;
  /** Reads and converts its objects. */
  readonly codec: Codec;
  /** Knows who owns their fields. */
  readonly fields: FieldManager;
  /** The version in which they are made ready for storage and checked. */
  readonly hub: GroupVersionKind;
}

export interface Current extends Stored {
  /** The stored object in the version of the request. */
  readonly view: KubernetesObject;
  /** Of a Scale: its parent in the version in which it is made ready for storage. */
  readonly parent?: KubernetesObject;
}

/** The part of an exchange that an earlier stage must have filled. Its absence is a bug in the order of the stages. */
export function held<T>(part: T | null, name: string): T {
  if (part === null) throw new Error(`no ${name} at this stage`);
  return part;
}

/** The exchange with other parts. Every stage reads exchanges: all are made here, with all their fields, so that they are of one shape. */
export function changed(exchange: Exchange, parts: Partial<Exchange>): Exchange {
  const copy: Exchange = {
    request: exchange.request,
    info: exchange.info,
    journal: exchange.journal,
    progress: exchange.progress,
    yieldIfLong: exchange.yieldIfLong,
    user: exchange.user,
    target: exchange.target,
    options: exchange.options,
    deadline: exchange.deadline,
    timedBy: exchange.timedBy,
    object: exchange.object,
    sent: exchange.sent,
    current: exchange.current,
    response: exchange.response,
  };
  return Object.assign(copy, parts);
}

/** The exchange with another object, itself where that is none. */
export const withObject = (exchange: Exchange, object: KubernetesObject | null): Exchange =>
  exchange.object === object ? exchange : changed(exchange, { object });

/** An exchange that is done: the stages after it only pass it on. */
export const answered = (
  exchange: Exchange,
  code: number,
  body: JsonObject,
  object: KubernetesObject | null = exchange.object,
): Exchange => changed(exchange, { object, response: { type: 'object', code, body, warnings: nothing } });
