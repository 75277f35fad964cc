import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { BuiltinTypes } from '../builtin-types.ts';
import type { OwnOpenapi } from '../openapi/own-openapi.ts';

/** One served resource or subresource: a row of discovery. */
export interface ResourceInfo {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  readonly namespaced: boolean;
  /** The kind of its body: `Scale` in group autoscaling for deployments/scale. */
  readonly kind: GroupVersionKind;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly storageVersionHash?: string;
  /** Of its list, where it is not the kind with `List` behind it. */
  readonly listKind?: string;
  /** Fields a selector may name, beyond name and namespace; absent for built-in resources. */
  readonly selectableFields?: readonly string[];
  /** What it publishes of itself; absent for built-in resources. */
  readonly openapi?: OwnOpenapi;
  /** Served, but in no list of its version's resources. */
  readonly unlisted?: true;
  /** The resource whose objects these are (rule SEL-31) and the kind they are stored as. */
  readonly storage: GroupVersionResource & { readonly kind: string };
}

/** Which resources exist. Custom resources come and go, so callers ask each time. */
export interface Catalogue {
  /** The built-in types of its release. */
  readonly types: BuiltinTypes;
  readonly find: (resource: GroupVersionResource, subresource: string) => ResourceInfo | undefined;
  /** Does any resource live in this group and version? */
  readonly hasVersion: (group: string, version: string) => boolean;
  /** Are all resources of this group and version custom ones? */
  readonly isCustom: (group: string, version: string) => boolean;
  /** All rows in discovery order: groups by priority, parents before their subresources. */
  readonly all: () => readonly ResourceInfo[];
  /** The same resource in its other versions and groups, in registration order, the given one included. */
  readonly equivalents: (resource: GroupVersionResource, subresource: string) => readonly ResourceInfo[];
  /** The main resource (no subresource) that serves this kind. */
  readonly forKind: (kind: GroupVersionKind) => ResourceInfo | undefined;
}
