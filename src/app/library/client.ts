import type { WorldAnswer, WorldRequest, WorldUser } from '../../testing/scenario/world.ts';
import type { ApiObject, KindReference, ObjectLike, Stored } from './objects.ts';
import type { TraceWithShortcuts } from './traces.ts';

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
