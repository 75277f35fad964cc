import type { WorldAnswer, WorldRequest, WorldUser } from '../../testing/scenario/world.ts';
import type { TraceWithShortcuts } from './traces.ts';
import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';

export interface Target {
  readonly name: string;
  /** Default for a namespaced kind: `default`. */
  readonly namespace?: string;
  readonly subresource?: string;
}

export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
}

export interface UpdateOptions extends WriteOptions {
  /** `status`, for example. */
  readonly subresource?: string;
}

export interface ApplyOptions extends UpdateOptions {
  /** Take over fields of other managers. */
  readonly force?: boolean;
}

export interface PatchOptions extends WriteOptions {
  /** `strategic` unless the patch is a list: then `json`. */
  readonly type?: 'json' | 'merge' | 'strategic';
}

export interface DeleteOptions extends Pick<WriteOptions, 'dryRun'> {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export interface ListOptions {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export type Answer = Omit<WorldAnswer, 'trace'> & { readonly trace: TraceWithShortcuts | undefined };

/** Every method but `request` and `find` rejects with ApiError when the server refuses. */
export interface Client {
  readonly create: <T extends ObjectLike>(object: T, options?: WriteOptions) => Promise<Stored<T>>;
  readonly update: <T extends ObjectLike>(object: T, options?: UpdateOptions) => Promise<Stored<T>>;
  /** Server-side apply. */
  readonly apply: <T extends ObjectLike>(object: T, options?: ApplyOptions) => Promise<Stored<T>>;
  readonly patch: <T = ApiObject>(
    kind: KindReference,
    target: Target,
    patch: object,
    options?: PatchOptions,
  ) => Promise<T>;
  readonly get: <T = ApiObject>(kind: KindReference, target: Target) => Promise<T>;
  /** undefined: the object does not exist. */
  readonly find: <T = ApiObject>(kind: KindReference, target: Target) => Promise<T | undefined>;
  readonly list: <T = ApiObject>(kind: KindReference, options?: ListOptions) => Promise<readonly T[]>;
  /** The deleted object, or the Status. */
  readonly delete: (kind: KindReference, target: Target, options?: DeleteOptions) => Promise<ApiObject>;
  /** Any request; resolves with refusals too. */
  readonly request: (request: WorldRequest) => Promise<Answer>;
  /** A client of this user. */
  readonly as: (user: string | WorldUser) => Client;
}

/** An object to send: plain JSON, or a type such as V1Pod. */
export interface ObjectLike {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: MetadataLike | undefined;
}

export interface MetadataLike {
  readonly name?: string | undefined;
  readonly generateName?: string | undefined;
  readonly namespace?: string | undefined;
}

/** An object of the server. Pass its type where you read it: `get<V1Pod>(…)`. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
  readonly [field: string]: unknown;
}

/** Times are RFC 3339 texts. */
export interface ObjectMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly Readonly<Record<string, unknown>>[];
  readonly managedFields?: readonly Readonly<Record<string, unknown>>[];
}

export type Stored<T extends ObjectLike> = T & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
};

/** apiVersion and kind, or a name that kubectl accepts (`pods`, `deploy`, `deployments.apps`). */
export type KindReference = string | { readonly apiVersion: string; readonly kind: string };

/** A refused request. `message` is that of the Status, which kubectl prints after `Error from server`. */
export class ApiError extends Error {
  /** The HTTP status. */
  readonly code: number;
  /** `Forbidden`, `Invalid`, `NotFound`, …; '' when absent. */
  readonly reason: string;
  readonly status: JsonObject;
  /** The invalid fields of a 422, each with its problem. */
  readonly causes: readonly JsonObject[];
  readonly warnings: readonly string[];
  /** undefined for a read. */
  readonly trace: TraceWithShortcuts | undefined;

  constructor({ code, body, warnings, trace }: Answer) {
    super(asString(body['message']) || `the server responded with ${code}`);
    this.name = 'ApiError';
    this.code = code;
    this.reason = asString(body['reason']);
    this.status = body;
    this.causes = asList(asObject(body['details'])['causes']).map(asObject);
    this.warnings = warnings;
    this.trace = trace;
  }
}
