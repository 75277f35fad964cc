import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { WatchOutcome } from './storage.ts';

/**
 * What a storage held at a revision, read at once, and what happened since: fed by the storage's watch, as upstream's
 * watch cache. It may be behind the storage, but never behind a write that was answered here.
 */
export interface ClusterCache extends ClusterView {
  /** How far it has come; the resourceVersion of what is read from it. */
  readonly revision: () => number;
  /** Every resource that has objects, and maybe some that had, as `groupResourceText` says them. */
  readonly resources: () => Iterable<string>;
  /** Changes after `since`, each delivered once and in order, until closed. */
  readonly watch: (resource: GroupResource, since: number, listener: (change: Change) => void) => WatchOutcome;
  /** Changes of any resource from now on, each with its resource as `groupResourceText` says it, until closed. */
  readonly watchEach: (listener: (resource: string, change: Change) => void) => () => void;
}

/** One write. A removed object carries the revision of its removal. */
export type Change =
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
