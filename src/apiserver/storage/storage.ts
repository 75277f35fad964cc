import type { GroupResource } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';

/** Where an object lives. `resource` is the storage resource: events of both groups share one. */
export interface StoreKey {
  readonly resource: GroupResource;
  /** '' for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/**
 * What keeps objects: each write has the next revision, whatever its resource. Objects go in and come out in the storage
 * version, with resourceVersion set. Every method rejects with StorageUnavailable when what keeps them is out of reach.
 * It is asynchronous; memory answers with promises that are settled already, which cost a request one turn of the
 * microtask queue each and no timer. Follows apiserver pkg/storage/interfaces.go.
 */
export interface Storage {
  /** The revision of the last write of anybody. */
  readonly latest: () => Promise<number>;
  readonly read: (key: StoreKey) => Promise<Stored | undefined>;
  /** The objects now, or as they were at a revision that is not in the future. */
  readonly readAll: (resource: GroupResource, namespace?: string, revision?: number) => Promise<ListOutcome>;
  readonly create: (key: StoreKey, object: KubernetesObject) => Promise<CreateOutcome>;
  /** Writes if the object still has `expected` as its revision. */
  readonly update: (key: StoreKey, object: KubernetesObject, expected: number) => Promise<WriteOutcome>;
  readonly remove: (key: StoreKey, expected: number) => Promise<WriteOutcome>;
  /** Everything that is kept, for who begins to follow it. */
  readonly snapshot: () => Promise<Snapshot>;
  /** Every write after `since`, whatever its resource, each told once and in order, until closed. */
  readonly watchAll: (since: number, follower: Follower) => WatchOutcome;
}

/** What is told to who follows a storage. */
export interface Follower {
  readonly wrote: (write: Write) => void;
  /** Everything up to this revision has been told. */
  readonly reached?: (revision: number) => void;
  /** What came next is forgotten: nothing more is told, a new snapshot is needed. */
  readonly lost?: () => void;
}

/** One write; without an object a removal. */
export interface Write {
  readonly key: StoreKey;
  readonly revision: number;
  readonly object?: KubernetesObject;
}

export interface Snapshot {
  readonly entries: readonly { readonly key: StoreKey; readonly stored: Stored }[];
  readonly revision: number;
}

/** What can be had twice: memory alone. */
export interface Forkable<Kind> {
  /** One of its own with the same content, which shares memory until one of the two writes. */
  readonly fork: () => Kind;
}

export interface Stored {
  readonly object: KubernetesObject;
  readonly revision: number;
  /** It would be stored in another way today: an update that changes nothing is written. */
  readonly stale?: boolean;
}

export interface StoredList {
  /** In order of namespace and name. */
  readonly items: readonly KubernetesObject[];
  readonly revision: number;
}

export type ListOutcome =
  | ({ readonly outcome: 'read' } & StoredList)
  /** That revision is forgotten: 410 Gone. */
  | { readonly outcome: 'expired' };

export type CreateOutcome =
  | { readonly outcome: 'stored'; readonly stored: Stored }
  | { readonly outcome: 'exists'; readonly stored: Stored };

export type WriteOutcome =
  | { readonly outcome: 'stored'; readonly stored: Stored }
  | { readonly outcome: 'conflict'; readonly stored: Stored }
  | { readonly outcome: 'missing' };

export type WatchOutcome =
  | { readonly outcome: 'watching'; readonly close: () => void }
  /** The log no longer reaches back that far: 410 Gone. */
  | { readonly outcome: 'expired'; readonly oldest: number };

/** The wire form of a store revision; opaque to clients. */
export const resourceVersionOf = (revision: number): string => String(revision);
