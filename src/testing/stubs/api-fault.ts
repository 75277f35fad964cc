import type { Random } from '../../machinery/clock.ts';
import { groupResourceText } from '../../machinery/meta/gvk.ts';
import { conflict, failure, tooManyRequests } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';

/** Something that goes wrong at the API itself, for which requests, and when. */
export interface ApiFault {
  readonly what: ApiFaultKind;
  /** As RBAC names them; undefined: update and patch for a conflict, watch for what befalls watches, else every verb. */
  readonly verbs?: readonly string[];
  /** `pods`, `deployments.apps`, `pods/status`; undefined: all. */
  readonly resources?: readonly string[];
  /** Only requests in these namespaces; undefined: in all, and outside of them. */
  readonly namespaces?: readonly string[];
  /** Only these of the requests that fit, counted from 1; undefined: every one. */
  readonly calls?: readonly number[];
  /** From 0 to 1, drawn with the seed; undefined: always. */
  readonly probability?: number;
}

export type ApiFaultKind =
  /** 409: somebody else was faster. */
  | { readonly type: 'conflict' }
  /** 429 with Retry-After; a second unless something else is said. */
  | { readonly type: 'too-many-requests'; readonly retryAfterSeconds?: number }
  /** The watch is answered, and its stream ends without a word: after so long or so many objects, else at once. */
  | { readonly type: 'drop-watch'; readonly afterMs?: number; readonly afterEvents?: number }
  /** A watch that goes on from a resourceVersion is told that it is too old: 410, the client has to list again. */
  | { readonly type: 'expire-watch' };

/** What a fault may look at; taken from the request's URL and method. */
export interface ApiCall {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** '' outside a namespace. */
  readonly namespace: string;
  /** '' for a collection. */
  readonly name: string;
  /** The resourceVersion that a watch goes on from; '' for one that begins with what is there, and for all else. */
  readonly resumesFrom?: string;
}

/** Does the fault want requests like this one? Whether it is due is for `isApiFaultDue` to say. */
export function fitsApiCall({ what, verbs = verbsOf(what), resources, namespaces }: ApiFault, call: ApiCall): boolean {
  if (verbs && !verbs.includes(call.verb)) return false;
  if (what.type === 'expire-watch' && !call.resumesFrom) return false;
  if (resources && !resources.includes(resourceTextOf(call))) return false;
  return !namespaces || namespaces.includes(call.namespace);
}

/** `number` counts the requests that fit, from 1. */
export function isApiFaultDue({ calls, probability }: ApiFault, number: number, random: Random): boolean {
  if (calls && !calls.includes(number)) return false;
  return probability === undefined || random() < probability;
}

function verbsOf({ type }: ApiFaultKind): readonly string[] | undefined {
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
 * The Status that the client reads instead of an answer; undefined: the request is handled. Follows apiserver
 * pkg/registry/generic/registry/store.go (OptimisticLockErrorMsg) and pkg/server/filters/maxinflight.go.
 */
export function apiFaultStatus(what: ApiFaultKind, { group, resource, name }: ApiCall): Status | undefined {
  switch (what.type) {
    case 'conflict':
      return conflict({ group, resource }, name, modified);
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

const modified = 'the object has been modified; please apply your changes to the latest version and try again';
