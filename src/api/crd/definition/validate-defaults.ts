import { sameJson } from '../../../machinery/json/json-equal.ts';
import {
  mapChanged,
  type JsonObject,
  type JsonValue,
  append,
  asList,
  asObject,
  isJsonObject,
  setOwn,
} from '../../../machinery/json/json.ts';
import { type FieldError, fieldErrorText, invalidValue } from '../../../machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { coerceEmbedded, validateEmbedded } from '../embedded.ts';
import { getRuleNode, runRulesAt } from '../instances/run-rules.ts';
import { validateAgainstSchema } from '../instances/validate-instance.ts';
import { parseDefaultSchema } from '../instances/value-schema.ts';
import { mapObject, pruneValue } from '../prune.ts';
import { type Structural, asResource, isTypeOrObjectMeta, readStructural } from '../structural.ts';
import { schemaHas } from './schema-walk.ts';

interface DefaultSite {
  readonly path: string;
  readonly resource: Structural;
  /** Builds the resource around a default. */
  readonly wrap: Wrap;
  readonly inMeta: boolean;
  readonly prunes: boolean;
}

type Wrap = (value: JsonValue) => JsonValue;

const embeddedObject: Wrap = (value) => ({
  apiVersion: 'validation/v1',
  kind: 'Validation',
  ...(isJsonObject(value) ? value : {}),
});

/**
 * Checks defaults against their schema; `prunes`: unknown fields are an error. Follows apiextensions-apiserver
 * pkg/apiserver/schema/defaulting/validation.go.
 */
export function validateDefaults(json: JsonObject, path: string, prunes: boolean): readonly FieldError[] {
  const root = asResource(readStructural(json));
  return validateNodeDefaults(root, { path, resource: root, wrap: embeddedObject, inMeta: false, prunes });
}

function validateNodeDefaults(schema: Structural, from: DefaultSite): readonly FieldError[] {
  if (!schema.features.defaults) return [];

  const place = schema.embedded ? { ...from, resource: schema, wrap: embeddedObject, inMeta: false } : from;
  const { items, properties } = schema;
  const errors = schema.defaultValue === undefined ? [] : [...validateDefault(schema.defaultValue, schema, place)];
  if (items !== undefined) {
    const wrap: Wrap = (value) => place.wrap([value]);
    append(errors, validateNodeDefaults(items, { ...place, path: `${place.path}.items`, wrap }));
  }
  for (const name of properties.names.toSorted()) {
    const property = properties.get(name);
    if (property === undefined) continue;
    const inMeta = place.inMeta || (schema.embedded && isTypeOrObjectMeta(name));
    const wrap: Wrap = (value) => place.wrap(setOwn({}, name, value));
    append(
      errors,
      validateNodeDefaults(property, { ...place, path: `${place.path}.properties[${name}]`, wrap, inMeta }),
    );
  }
  return errors;
}

function validateDefault(value: JsonValue, schema: Structural, place: DefaultSite): readonly FieldError[] {
  const path = `${place.path}.default`;
  const isPruned = place.inMeta || !place.prunes || sameJson(pruneValue(value, schema), value);
  const unknown = isPruned ? [] : [invalidValue(path, value, 'must not have unknown fields')];
  const meta = place.inMeta
    ? validateDefaultInMetadata(value, path, place)
    : validateEmbeddedDefault(value, schema, path);
  if (meta.length > 0) return [...unknown, ...meta];
  const wrong = validateAgainstSchema(value, parseDefaultSchema(stripIntOrString(schema.json)), undefined, path);
  return [...unknown, ...(wrong.length > 0 ? wrong : validateDefaultWithRules(value, schema, place))];
}

function validateDefaultInMetadata(
  value: JsonValue,
  path: string,
  { resource, wrap }: DefaultSite,
): readonly FieldError[] {
  const whole = wrap(value);
  const schema = asResource(resource);
  const coerced = coerceEmbedded(whole, schema);
  const errors = coerced.outcome === 'refused' ? [coerced.error] : validateEmbedded(whole, schema);
  if (errors.length === 0) return [];
  const texts = errors.map(fieldErrorText);
  const reasons = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return [invalidValue(path, value, `must result in valid metadata: ${reasons}`)];
}

function validateEmbeddedDefault(value: JsonValue, schema: Structural, path: string): readonly FieldError[] {
  const coerced = coerceEmbedded(value, schema, path);
  return coerced.outcome === 'refused' ? [coerced.error] : validateEmbedded(value, schema, path);
}

/** The type of an int-or-string is not checked here. */
function stripIntOrString(json: JsonObject): JsonObject {
  if (!schemaHas(json, (node) => node['x-kubernetes-int-or-string'] === true)) return json;
  const strip = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(strip);
    return isJsonObject(value)
      ? mapObject(value, (inner, field) => (field === 'x-kubernetes-int-or-string' ? undefined : strip(inner)))
      : value;
  };
  return asObject(strip(json));
}

/** Checks a default as an unchanged value, then as a new one. */
function validateDefaultWithRules(value: JsonValue, schema: Structural, place: DefaultSite): readonly FieldError[] {
  const rules = getRuleNode(schema, schema === place.resource);
  if (rules === undefined) return [];
  const target = { value, path: `${place.path}.default`, nearest: undefined, correlated: undefined };
  const { errors } = runRulesAt(rules, { ...target, old: value });
  return errors.length > 0 ? errors : runRulesAt(rules, { ...target, old: undefined }).errors;
}

/**
 * Coerces embedded metadata in defaults, as upstream's validation does. Follows apiextensions-apiserver
 * pkg/apiserver/schema/defaulting/validation.go.
 */
export function coerceDefaults(definition: KubernetesObject): KubernetesObject {
  const spec = asObject(definition['spec']);
  const versions = asList(spec['versions']);
  const readable = mapChanged(versions, (version) =>
    isJsonObject(version) ? coerceVersionDefaults(version) : version,
  );
  return readable === versions ? definition : { ...definition, spec: { ...spec, versions: readable } };
}

function coerceVersionDefaults(version: JsonObject): JsonObject {
  const schema = asObject(version['schema']);
  const { openAPIV3Schema: root } = schema;
  if (!isJsonObject(root)) return version;
  const readable = coerceNodeDefaults(asResource(readStructural(root)), false);
  return readable === root ? version : { ...version, schema: { ...schema, openAPIV3Schema: readable } };
}

/** `inMeta`: inside the type or metadata of a resource, where upstream validates a copy of the default. */
function coerceNodeDefaults(schema: Structural, inMeta: boolean): JsonObject {
  const { json, features, embedded, items, properties } = schema;
  if (!features.defaults || !features.embedded) return json;
  const isMeta = inMeta && !embedded;
  const ofProperty = (value: JsonValue, name: string): JsonValue => {
    const property = properties.get(name);
    return property ? coerceNodeDefaults(property, isMeta || (embedded && isTypeOrObjectMeta(name))) : value;
  };
  return mapObject(json, (value, field) => {
    if (field === 'default') return isMeta ? value : coerceDefault(value, schema);
    if (field === 'items') return items ? coerceNodeDefaults(items, isMeta) : value;
    return field === 'properties' && isJsonObject(value) ? mapObject(value, ofProperty) : value;
  });
}

function coerceDefault(value: JsonValue, schema: Structural): JsonValue {
  const coerced = coerceEmbedded(value, schema);
  return coerced.outcome === 'coerced' ? coerced.value : value;
}
