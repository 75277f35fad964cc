import type { Clock } from '../machinery/clock.ts';
import type { GroupResource } from '../machinery/meta/gvk.ts';
import type { JsonObject, JsonValue } from '../machinery/json/json.ts';
import type { KubernetesObject } from '../machinery/meta/object.ts';
import type { Change, ClusterCache } from '../apiserver/storage/cluster-cache.ts';
import type { SignRequest } from './signing-order.ts';
import type { Client, User } from './client.ts';
import type { ServedResources } from './served-resources.ts';
import type { Progress } from './work-queue.ts';

/** Begins to follow the cluster; what it then does ends with the signal in its context. */
export type Controller = (context: ControllerContext) => Progress;

export interface ControllerContext {
  readonly store: ControllerStore;
  readonly served: ServedResources;
  /** `userAgent` names the field manager, kube-controller-manager unless something else is said. */
  readonly clientFor: (user: User, userAgent?: string) => Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Has something done when the controllers are closed. */
  readonly whenClosed: (act: () => void) => void;
  readonly onBug: (error: unknown) => void;
  /** PEM of what signs this server's certificate. */
  readonly rootCa: string;
  /** Signs with that CA; absent where its key is not at hand. */
  readonly signRequest?: SignRequest | undefined;
  /** The rules that a ClusterRole has because of the others. */
  readonly aggregatedRules: (role: KubernetesObject, all: () => readonly KubernetesObject[]) => readonly JsonValue[];
  /** What type checking has to say of a ValidatingAdmissionPolicy. */
  readonly typeWarnings: (policy: KubernetesObject) => readonly JsonObject[];
}

/** What a controller reads; it writes through its client. */
export type ControllerStore = ClusterCache;

/**
 * Tells `listener` of every object that is there, as created, and of every change from then on, until closed; what is
 * returned ends it sooner.
 */
export function follow(
  { store, whenClosed, onBug }: Pick<ControllerContext, 'store' | 'whenClosed' | 'onBug'>,
  resource: GroupResource,
  listener: (change: Change) => void,
): () => void {
  const tell = (change: Change): void => {
    try {
      listener(change);
    } catch (error) {
      // The store is in the middle of somebody's write.
      onBug(error);
    }
  };
  const revision = store.revision();
  for (const object of store.list(resource)) tell({ type: 'created', object, revision });
  const watching = store.watch(resource, revision, tell);
  if (watching.outcome === 'expired') throw new Error('the log does not reach back to this moment');
  whenClosed(watching.close);
  return watching.close;
}
