/** Anything that can be sent as an object: plain JSON, or a type of your own such as V1Pod. */
export interface ObjectLike {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: MetadataLike | undefined;
}

/** The part of an object's metadata that says where it is. */
export interface MetadataLike {
  readonly name?: string | undefined;
  readonly generateName?: string | undefined;
  readonly namespace?: string | undefined;
}

/** An object as the server answers it. Say what type it is where it is asked for: `get<V1Pod>(…)`. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
  readonly [field: string]: unknown;
}

/** Times are RFC 3339 texts. */
export interface ObjectMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly Readonly<Record<string, unknown>>[];
  readonly managedFields?: readonly Readonly<Record<string, unknown>>[];
}

/** An object that was sent, as the server answers it. */
export type Stored<T extends ObjectLike> = T & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
};

/** A kind: by apiVersion and kind, or by the name that kubectl takes (`pods`, `deploy`, `deployments.apps`). */
export type KindReference = string | { readonly apiVersion: string; readonly kind: string };
