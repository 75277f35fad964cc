import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { BuiltinTypes } from '../builtin-types.ts';
import type { OwnOpenapi } from '../openapi/own-openapi.ts';

export interface ResourceInfo {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  readonly namespaced: boolean;
  /** The kind of the body: autoscaling `Scale` for deployments/scale. */
  readonly kind: GroupVersionKind;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly storageVersionHash?: string;
  /** Only when it differs from the kind plus `List`. */
  readonly listKind?: string;
  /** Besides name and namespace; absent for built-in resources. */
  readonly selectableFields?: readonly string[];
  /** Absent for built-in resources. */
  readonly openapi?: OwnOpenapi;
  /** Served, but not in discovery. */
  readonly unlisted?: true;
  /** The resource that stores these objects (rule SEL-31), and their storage kind. */
  readonly storage: GroupVersionResource & { readonly kind: string };
}

/** The served resources. Custom resources change, so do not cache results. */
export interface Catalogue {
  readonly types: BuiltinTypes;
  readonly find: (resource: GroupVersionResource, subresource: string) => ResourceInfo | undefined;
  readonly hasVersion: (group: string, version: string) => boolean;
  /** Whether the group version has custom resources only. */
  readonly isCustom: (group: string, version: string) => boolean;
  /** In discovery order: groups by priority, parents before subresources. */
  readonly all: () => readonly ResourceInfo[];
  /** The resource in all its versions and groups, in registration order. */
  readonly equivalents: (resource: GroupVersionResource, subresource: string) => readonly ResourceInfo[];
  /** The main resource of a kind. */
  readonly forKind: (kind: GroupVersionKind) => ResourceInfo | undefined;
}
