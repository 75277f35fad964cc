import type { GroupResource } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { type Status, ThrownStatus, plainError } from '../../machinery/meta/status.ts';

/** `resource` is the storage resource: events of both groups share one. */
export interface StoreKey {
  readonly resource: GroupResource;
  /** '' for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/**
 * Objects in their storage version with resourceVersion; each write has the next revision. Methods reject with
 * StorageUnavailable when the backend fails. Follows apiserver pkg/storage/interfaces.go.
 */
export interface Storage {
  /** The revision of the last write. */
  readonly latest: () => Promise<number>;
  readonly read: (key: StoreKey) => Promise<StoredObject | undefined>;
  /** Now, or at a past revision. */
  readonly readAll: (resource: GroupResource, namespace?: string, revision?: number) => Promise<ListOutcome>;
  readonly create: (key: StoreKey, object: KubernetesObject) => Promise<CreateOutcome>;
  /** Fails unless the stored revision is `expected`. */
  readonly update: (key: StoreKey, object: KubernetesObject, expected: number) => Promise<WriteOutcome>;
  readonly remove: (key: StoreKey, expected: number) => Promise<WriteOutcome>;
  readonly snapshot: () => Promise<StorageSnapshot>;
  /** Each write after `since` once and in order, until closed. */
  readonly watchAll: (since: number, follower: Follower) => WatchOutcome;
}

export interface Follower {
  readonly onWrite: (write: StorageWrite) => void;
  /** Everything up to this revision was delivered. */
  readonly onProgress?: (revision: number) => void;
  /** The next changes are forgotten: a new snapshot is needed. */
  readonly onCompacted?: () => void;
}

export interface StorageWrite {
  readonly key: StoreKey;
  readonly revision: number;
  readonly object?: KubernetesObject;
}

export interface StorageSnapshot {
  readonly entries: readonly { readonly key: StoreKey; readonly stored: StoredObject }[];
  readonly revision: number;
}

export interface Forkable<Kind> {
  /** A copy that shares memory until one of the two writes. */
  readonly fork: () => Kind;
}

export interface StoredObject {
  readonly object: KubernetesObject;
  readonly revision: number;
  /** The stored form is outdated: even an unchanged object is written. */
  readonly stale?: boolean;
}

export interface StoredList {
  /** Sorted by namespace and name. */
  readonly items: readonly KubernetesObject[];
  readonly revision: number;
}

export type ListOutcome =
  | ({ readonly outcome: 'read' } & StoredList)
  /** 410 Gone. */
  | { readonly outcome: 'expired' };

export type CreateOutcome =
  | { readonly outcome: 'stored'; readonly stored: StoredObject }
  | { readonly outcome: 'exists'; readonly stored: StoredObject };

export type WriteOutcome =
  | { readonly outcome: 'stored'; readonly stored: StoredObject }
  | { readonly outcome: 'conflict'; readonly stored: StoredObject }
  | { readonly outcome: 'missing' };

export type WatchOutcome =
  | { readonly outcome: 'watching'; readonly close: () => void }
  /** 410 Gone: the log starts later. */
  | { readonly outcome: 'expired'; readonly oldest: number };

/** The wire form of a revision; opaque to clients. */
export const resourceVersionOf = (revision: number): string => String(revision);

/**
 * Resources with another folder than their plural. Follows apiserver pkg/server/storage SpecialDefaultResourcePrefixes
 * and the servers of definitions and of APIServices.
 */
const special: ReadonlyMap<string, string> = new Map([
  ['replicationcontrollers', 'controllers'],
  ['endpoints', 'services/endpoints'],
  ['services', 'services/specs'],
  ['nodes', 'minions'],
  ['ingresses', 'ingress'],
  ['customresourcedefinitions', 'apiextensions.k8s.io/customresourcedefinitions'],
  ['apiservices', 'apiregistration.k8s.io/apiservices'],
]);

/** The etcd folder of a built-in resource. */
export const builtInFolder = (plural: string): string => special.get(plural) ?? plural;

export const customFolder = ({ group, resource }: GroupResource): string => `${group}/${resource}`;

/**
 * The storage backend failed or its result is unknown: a 500 without a reason. Follows apiserver
 * pkg/endpoints/handlers/responsewriters/status.go.
 */
export class StorageUnavailable extends ThrownStatus {
  constructor(text: string, status: Status = plainError(text)) {
    super(text, status);
  }
}
