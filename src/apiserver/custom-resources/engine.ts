import type { CustomType } from '../../api/crd/custom-type.ts';
import type { FieldError } from '../../machinery/meta/field-error.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { NameRule } from '../../api/validation/meta/object-meta.ts';

/** Schemas and their validation, loaded on first use. */
export interface CrdEngine {
  readonly definitionName: (definition: KubernetesObject) => NameRule;
  readonly validateDefinition: (definition: KubernetesObject, release: number) => readonly FieldError[];
  readonly validateDefinitionUpdate: (
    definition: KubernetesObject,
    old: KubernetesObject,
    release: number,
  ) => readonly FieldError[];
  readonly validateDefinitionStatusUpdate: (
    definition: KubernetesObject,
    old: KubernetesObject,
  ) => readonly FieldError[];
  /** Defaults pruned as validation leaves them. */
  readonly withReadableDefaults: (definition: KubernetesObject) => KubernetesObject;
  readonly definitionWarnings: (
    release: number,
    definition: KubernetesObject,
    old?: KubernetesObject,
  ) => readonly string[];
  /** undefined for an unknown version; parts are created on first use. */
  readonly customType: (definition: JsonObject, version: string) => CustomType | undefined;
  readonly customColumns: (definition: JsonObject, version: string) => CustomColumns;
  readonly scaleColumns: () => CustomColumns;
  readonly openapiV3: (definition: JsonObject, version: string) => JsonObject;
  readonly openapiV2: (definition: JsonObject, version: string) => JsonObject;
}

/** The columns after the name. */
export interface CustomColumns {
  readonly definitions: readonly JsonObject[];
  readonly cells: (object: JsonObject, now: number) => readonly JsonValue[];
}

export interface LazyEngine {
  readonly load: () => Promise<void>;
  /** Only for callers after `load`. */
  readonly get: () => CrdEngine;
}

export function createLazyEngine(loadEngine: () => Promise<CrdEngine>): LazyEngine {
  let loading: Promise<void> | undefined;
  let loaded: CrdEngine | undefined;
  return {
    load: () => {
      loading ??= loadEngine().then((engine) => {
        loaded = engine;
      });
      return loading;
    },
    get: () => {
      if (!loaded) throw new Error('a definition is looked at before the engine of custom resources is loaded');
      return loaded;
    },
  };
}
