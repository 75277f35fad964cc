import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import type { CrdEngine } from './engine.ts';

/** A row of the catalogue that a CustomResourceDefinition has put there. */
export interface CustomRow extends ResourceInfo {
  readonly custom: CustomVersion;
}

/** A version of a definition as it was when the row was made. */
export interface CustomVersion {
  /** As it is stored. */
  readonly definition: KubernetesObject;
  /** The entry of `spec.versions`. */
  readonly version: JsonObject;
  readonly engine: CrdEngine;
}

export const isCustomRow = (row: ResourceInfo): row is CustomRow => 'custom' in row;
