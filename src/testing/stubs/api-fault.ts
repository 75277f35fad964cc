import type { Random } from '../../machinery/clock.ts';
import { groupResourceText } from '../../machinery/meta/gvk.ts';
import { conflict, failure, type Status, tooManyRequests } from '../../machinery/meta/status.ts';

export interface ApiFault {
  readonly what: ApiFaultKind;
  /** RBAC verbs; undefined: update and patch for a conflict, watch for watch faults, else all. */
  readonly verbs?: readonly string[];
  /** `pods`, `deployments.apps`, `pods/status`; undefined: all. */
  readonly resources?: readonly string[];
  /** undefined: all, and cluster-scoped requests. */
  readonly namespaces?: readonly string[];
  /** Numbers of matching requests, from 1; undefined: every one. */
  readonly calls?: readonly number[];
  /** From 0 to 1, drawn with the seed; undefined: always. */
  readonly probability?: number;
}

export type ApiFaultKind =
  /** 409: another client was faster. */
  | { readonly type: 'conflict' }
  /** 429 with Retry-After, 1 second by default. */
  | { readonly type: 'too-many-requests'; readonly retryAfterSeconds?: number }
  /** Ends the stream silently after a time or number of events, else at once. */
  | { readonly type: 'drop-watch'; readonly afterMs?: number; readonly afterEvents?: number }
  /** 410 for a watch that resumes from a resourceVersion: the client must list again. */
  | { readonly type: 'expire-watch' };

/** From the request's method and URL. */
export interface ApiCall {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** '' outside a namespace. */
  readonly namespace: string;
  /** '' for a collection. */
  readonly name: string;
  /** The resourceVersion a watch resumes from; '' otherwise. */
  readonly resumesFrom?: string;
}

/** `isApiFaultDue` decides when. */
export function fitsApiCall(
  { what, verbs = defaultVerbs(what), resources, namespaces }: ApiFault,
  call: ApiCall,
): boolean {
  if (verbs && !verbs.includes(call.verb)) return false;
  if (what.type === 'expire-watch' && !call.resumesFrom) return false;
  if (resources && !resources.includes(resourceTextOf(call))) return false;
  return !namespaces || namespaces.includes(call.namespace);
}

/** `number` counts matching requests from 1. */
export function isApiFaultDue({ calls, probability }: ApiFault, number: number, random: Random): boolean {
  if (calls && !calls.includes(number)) return false;
  return probability === undefined || random() < probability;
}

function defaultVerbs({ type }: ApiFaultKind): readonly string[] | undefined {
  if (type === 'conflict') return ['update', 'patch'];
  return type === 'too-many-requests' ? undefined : ['watch'];
}

/** `deployments.apps/status` */
export function resourceTextOf({
  group,
  resource,
  subresource,
}: Pick<ApiCall, 'group' | 'resource' | 'subresource'>): string {
  const name = groupResourceText({ group, resource });
  return subresource === '' ? name : `${name}/${subresource}`;
}

/**
 * undefined: the request is handled. Follows apiserver pkg/registry/generic/registry/store.go (OptimisticLockErrorMsg) and
 * pkg/server/filters/maxinflight.go.
 */
export function apiFaultStatus(what: ApiFaultKind, { group, resource, name }: ApiCall): Status | undefined {
  switch (what.type) {
    case 'conflict':
      return conflict({ group, resource }, name, modifiedMessage);
    case 'too-many-requests':
      return tooManyRequests('Too many requests, please try again later.', what.retryAfterSeconds ?? 1);
    case 'drop-watch':
    case 'expire-watch':
      return undefined;
  }
}

/** The object of the ERROR event. Follows apiserver pkg/storage/cacher/watch_cache.go. */
export function expiredStatus({ resumesFrom = '' }: ApiCall): Status {
  const oldest = /^\d+$/.test(resumesFrom) ? BigInt(resumesFrom) + 1n : 1n;
  return failure({
    code: 410,
    reason: 'Expired',
    message: `too old resource version: ${resumesFrom} (${oldest})`,
  });
}

const modifiedMessage = 'the object has been modified; please apply your changes to the latest version and try again';
