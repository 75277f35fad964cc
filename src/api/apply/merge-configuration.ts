import { gvkText, parseApiVersion, type GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { isJsonObject, isList, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Codec } from '../codec/codec.ts';
import { createFieldKinds, type CustomKind } from './field-kinds.ts';
import { mergeValues } from './merge.ts';
import { typeErrors } from './type-errors.ts';
import { deduced, type ValueType } from './value-type.ts';

interface ConfigurationMerge {
  readonly live: KubernetesObject;
  readonly configuration: JsonObject;
  /** undefined: the published schema lacks this kind. */
  readonly type: ValueType | undefined;
}

export type Merged =
  | { readonly outcome: 'merged'; readonly object: JsonValue }
  | { readonly outcome: 'failed'; readonly error: string };

export function createConfigurationMerger(
  codec: Codec,
  isPublished: (kind: GroupVersionKind) => boolean,
  findCustom: (kind: GroupVersionKind) => CustomKind | undefined,
): (live: KubernetesObject, configuration: JsonObject) => Merged {
  const kinds = createFieldKinds(codec, findCustom);
  return (live, configuration) => {
    const { kind, type } = kinds.find(live.apiVersion, live.kind);
    return mergeConfiguration({ live, configuration, type: isPublished(kind) ? type : undefined });
  };
}

/**
 * Merges by the rules of server-side apply, without owners; atomic fields are an error. Follows apiserver
 * pkg/admission/plugin/policy/mutating/patch/smd.go (rule MAP-4).
 */
function mergeConfiguration({ live, configuration, type }: ConfigurationMerge): Merged {
  const { apiVersion, kind } = live;
  // Upstream overwrites the kind of the configuration.
  const patch = { ...configuration, apiVersion, kind };
  if (type === undefined) return unconverted(`no corresponding type for ${gvkText(kindOf(live))}`);
  const wrong = typeErrors(type, patch);
  if (wrong !== undefined) return unconverted(wrong);
  const atomic = atomicsIn(type, patch, '');
  if (atomic.length > 0) {
    return failed(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`);
  }
  return { outcome: 'merged', object: mergeValues(type, live, patch) };
}

const kindOf = ({ apiVersion, kind }: KubernetesObject): GroupVersionKind => ({ ...parseApiVersion(apiVersion), kind });

const failed = (error: string): Merged => ({ outcome: 'failed', error: `error applying patch: ${error}` });

const unconverted = (error: string): Merged => failed(`failed to convert patch object to typed object: ${error}`);

/** Map entries are not searched. */
function atomicsIn(type: ValueType, value: JsonValue, path: string): readonly string[] {
  if (type.is === 'map' && isJsonObject(value)) {
    const inner = Object.keys(value).flatMap((name) =>
      type.declares(name) ? atomicsIn(type.field(name) ?? deduced, value[name] ?? null, `${path}.${name}`) : [],
    );
    return type.atomic ? [path, ...inner] : inner;
  }
  if (type.is !== 'list' || !isList(value)) return [];
  const inner = value.flatMap((item, at) => atomicsIn(type.element(), item, `${path}[${at}]`));
  return type.relation === 'atomic' ? [path, ...inner] : inner;
}
