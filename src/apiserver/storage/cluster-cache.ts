import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { WatchOutcome } from './storage.ts';

/**
 * An in-memory view of a storage with its recent changes, like upstream's watch cache. It may be behind the storage,
 * but includes every answered write.
 */
export interface ClusterCache extends ClusterView {
  /** The resourceVersion of reads. */
  readonly revision: () => number;
  /** All resources with objects, perhaps some without. */
  readonly resources: () => Iterable<string>;
  /** Each change after `since` once and in order, until closed. */
  readonly watch: (resource: GroupResource, since: number, listener: (change: CacheChange) => void) => WatchOutcome;
  /** New changes of all resources, until closed. */
  readonly watchEach: (listener: (resource: string, change: CacheChange) => void) => () => void;
}

/** A removed object has the revision of its removal. */
export type CacheChange =
  | { readonly type: 'created'; readonly object: KubernetesObject; readonly revision: number }
  | {
      readonly type: 'updated';
      readonly object: KubernetesObject;
      readonly previous: KubernetesObject;
      readonly revision: number;
    }
  | {
      readonly type: 'removed';
      readonly object: KubernetesObject;
      readonly previous: KubernetesObject;
      readonly revision: number;
    };
