/** An object to send: plain JSON, or a type such as V1Pod. */
export interface ObjectLike {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: MetadataLike | undefined;
}

export interface MetadataLike {
  readonly name?: string | undefined;
  readonly generateName?: string | undefined;
  readonly namespace?: string | undefined;
}

/** An object of the server. Pass its type where you read it: `get<V1Pod>(…)`. */
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

export type Stored<T extends ObjectLike> = T & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
};

/** apiVersion and kind, or a name that kubectl accepts (`pods`, `deploy`, `deployments.apps`). */
export type KindReference = string | { readonly apiVersion: string; readonly kind: string };
