import type { ClusterView } from '../apimachinery/cluster-view.ts';
import type { GroupResource } from '../apimachinery/gvk.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';

/** Where an object lives. `resource` is the storage resource: events of both groups share one. */
export interface StoreKey {
  readonly resource: GroupResource;
  /** '' for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** The memory: MVCC with a revision log. Objects go in and come out in the storage version, with resourceVersion set. */
export interface Store extends ClusterView {
  /** The revision of the last write; the resourceVersion of a list. */
  readonly revision: () => number;
  readonly read: (key: StoreKey) => Promise<Stored | undefined>;
  readonly readAll: (resource: GroupResource, namespace?: string) => Promise<StoredList>;
  /** The objects as they were at a revision that is not in the future. */
  readonly readAllAt: (resource: GroupResource, namespace: string | undefined, revision: number) => PastList;
  readonly create: (key: StoreKey, object: KubernetesObject) => Promise<CreateOutcome>;
  /** Writes if the object still has `expected` as its revision. */
  readonly update: (key: StoreKey, object: KubernetesObject, expected: number) => Promise<WriteOutcome>;
  readonly remove: (key: StoreKey, expected: number) => Promise<WriteOutcome>;
  /** Events after `since`, each delivered once and in order, until closed. */
  readonly watch: (resource: GroupResource, since: number, listener: (change: Change) => void) => WatchOutcome;
  /** A store of its own with the same content, which shares memory until one of the two writes. */
  readonly fork: () => Store;
}

export interface Stored {
  readonly object: KubernetesObject;
  readonly revision: number;
}

export interface StoredList {
  /** In order of namespace and name. */
  readonly items: readonly KubernetesObject[];
  readonly revision: number;
}

export type PastList =
  | { readonly outcome: 'read'; readonly items: readonly KubernetesObject[] }
  /** The log no longer reaches back that far: 410 Gone. */
  | { readonly outcome: 'expired' };

export type CreateOutcome =
  | { readonly outcome: 'stored'; readonly stored: Stored }
  | { readonly outcome: 'exists'; readonly stored: Stored };

export type WriteOutcome =
  | { readonly outcome: 'stored'; readonly stored: Stored }
  | { readonly outcome: 'conflict'; readonly stored: Stored }
  | { readonly outcome: 'missing' };

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

export type WatchOutcome =
  | { readonly outcome: 'watching'; readonly close: () => void }
  /** The log no longer reaches back that far: 410 Gone. */
  | { readonly outcome: 'expired'; readonly oldest: number };

/** The wire form of a store revision; opaque to clients. */
export const resourceVersionOf = (revision: number): string => String(revision);
