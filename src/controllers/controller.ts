import type { CacheChange, ClusterCache } from '../apiserver/storage/cluster-cache.ts';
import type { Clock } from '../machinery/clock.ts';
import type { JsonObject, JsonValue } from '../machinery/json/json.ts';
import { type GroupResource, groupResourceText } from '../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../machinery/meta/object.ts';
import type { ApiClient, User } from './client.ts';
import { deletableResources, type ServedResource, type ServedResources } from './served-resources.ts';
import type { QueueProgress } from './work-queue.ts';

/** Starts a controller; the signal of its context ends it. */
export type Controller = (context: ControllerContext) => QueueProgress;

export interface ControllerContext {
  readonly store: ControllerStore;
  readonly served: ServedResources;
  /** `userAgent` names the field manager, kube-controller-manager by default. */
  readonly clientFor: (user: User, userAgent?: string) => ApiClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Runs `act` when the controllers are closed. */
  readonly whenClosed: (act: () => void) => void;
  readonly onBug: (error: unknown) => void;
  /** PEM of the CA of this server's certificate. */
  readonly rootCa: string;
  /** Signs with that CA; absent without its key. */
  readonly signRequest?: SignRequest | undefined;
  /** The rules of an aggregated ClusterRole. */
  readonly aggregatedRules: (role: KubernetesObject, all: readonly KubernetesObject[]) => readonly JsonValue[];
  /** The type checking warnings of a ValidatingAdmissionPolicy. */
  readonly typeWarnings: (policy: KubernetesObject) => readonly JsonObject[];
}

/** Controllers read here and write through their client. */
export type ControllerStore = ClusterCache;

/**
 * Calls `listener` for every existing object, as created, and for every later change, until closed. The returned
 * function ends it earlier.
 */
export function followResource(
  { store, whenClosed, onBug }: Pick<ControllerContext, 'store' | 'whenClosed' | 'onBug'>,
  resource: GroupResource,
  listener: (change: CacheChange) => void,
): () => void {
  const notify = catchErrors(listener, onBug);
  const revision = store.revision();
  for (const object of store.list(resource)) notify({ type: 'created', object, revision });
  const watching = store.watch(resource, revision, notify);
  if (watching.outcome === 'expired') throw new Error('the log does not reach back to this moment');
  whenClosed(watching.close);
  return watching.close;
}

/**
 * Calls `listener` for the objects of every resource with these verbs, also of resources that are served later: for
 * each existing object, as created, and for every later change. A resource whose version or scope changes starts
 * again.
 */
export function followResources(
  context: ControllerContext,
  verbs: readonly string[],
  listener: (resource: ServedResource, change: CacheChange) => void,
): void {
  const { store, served, onBug, whenClosed } = context;
  const notify = catchErrors(listener, onBug);
  let followed: Followed = new Map();
  const update = (): void => {
    const before = followed;
    followed = selectFollowed(served.all(), verbs);
    // Hundreds of resources may have no object.
    for (const stored of store.resources()) {
      const resource = followed.get(stored);
      if (!resource || hasSameScope(before.get(stored), resource)) continue;
      const revision = store.revision();
      for (const object of store.list(resource.storage)) notify(resource, { type: 'created', object, revision });
    }
  };
  update();
  whenClosed(served.follow(update));
  whenClosed(
    store.watchEach((stored, change) => {
      const resource = followed.get(stored);
      if (resource) notify(resource, change);
    }),
  );
}

/** By stored resource. */
type Followed = ReadonlyMap<string, ServedResource>;

const selectFollowed = (rows: readonly ServedResource[], verbs: readonly string[]): Followed =>
  new Map(deletableResources({ all: () => rows }, verbs).map((one) => [groupResourceText(one.storage), one]));

const hasSameScope = (a: ServedResource | undefined, b: ServedResource): boolean =>
  a?.version === b.version && a.namespaced === b.namespaced;

/** The store calls listeners inside a write: they must not throw. */
const catchErrors =
  <Args extends readonly unknown[]>(listener: (...args: Args) => void, onBug: (error: unknown) => void) =>
  (...args: Args): void => {
    try {
      listener(...args);
    } catch (error) {
      onBug(error);
    }
  };

export interface SigningRequest {
  /** PEM in base64, as in spec.request. */
  readonly request: string;
  readonly signerName: SignerName;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
}

/** Signs with the server's CA. `failure`: the request is invalid for its signer. */
export type SignRequest = (
  order: SigningRequest,
) => Promise<{ readonly certificate: string } | { readonly failure: string }>;

export const signerNames = [
  'kubernetes.io/kube-apiserver-client',
  'kubernetes.io/kube-apiserver-client-kubelet',
  'kubernetes.io/kubelet-serving',
] as const;

type SignerName = (typeof signerNames)[number];
