import { asList, asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { coerceEmbedded } from '../embedded.ts';
import { mapList, mapObject } from '../prune.ts';
import { asResource, isTypeOrObjectMeta, readStructural, type Structural } from '../structural.ts';

/**
 * Coerces embedded metadata in defaults, as upstream's validation does. Follows apiextensions-apiserver
 * pkg/apiserver/schema/defaulting/validation.go.
 */
export function withReadableDefaults(definition: KubernetesObject): KubernetesObject {
  const spec = asObject(definition['spec']);
  const versions = asList(spec['versions']);
  const readable = mapList(versions, (version) => (isJsonObject(version) ? ofVersion(version) : version));
  return readable === versions ? definition : { ...definition, spec: { ...spec, versions: readable } };
}

function ofVersion(version: JsonObject): JsonObject {
  const schema = asObject(version['schema']);
  const { openAPIV3Schema: root } = schema;
  if (!isJsonObject(root)) return version;
  const readable = ofNode(asResource(readStructural(root)), false);
  return readable === root ? version : { ...version, schema: { ...schema, openAPIV3Schema: readable } };
}

/** `inMeta`: inside the type or metadata of a resource, where upstream validates a copy of the default. */
function ofNode(schema: Structural, inMeta: boolean): JsonObject {
  const { json, holds, embedded, items, properties } = schema;
  if (!holds.defaults || !holds.embedded) return json;
  const isMeta = inMeta && !embedded;
  const ofProperty = (value: JsonValue, name: string): JsonValue => {
    const property = properties.get(name);
    return property ? ofNode(property, isMeta || (embedded && isTypeOrObjectMeta(name))) : value;
  };
  return mapObject(json, (value, field) => {
    if (field === 'default') return isMeta ? value : readableDefault(value, schema);
    if (field === 'items') return items ? ofNode(items, isMeta) : value;
    return field === 'properties' && isJsonObject(value) ? mapObject(value, ofProperty) : value;
  });
}

function readableDefault(value: JsonValue, schema: Structural): JsonValue {
  const coerced = coerceEmbedded(value, schema);
  return coerced.outcome === 'coerced' ? coerced.value : value;
}
