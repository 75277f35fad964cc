import { parseApiVersion } from '../../machinery/meta/gvk.ts';
import { isJsonObject, isList, setOwn, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { asKubernetesObject, type KubernetesObject } from '../../machinery/meta/object.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import { flatFields } from '../types/flat-fields.ts';
import type { TypeRef } from '../types/type-info.ts';
import { canBeEmpty, isEmpty } from './stored-form.ts';

export type AlignEmpty = (old: KubernetesObject, object: KubernetesObject) => KubernetesObject;

type Align = (value: JsonValue, model: JsonValue) => JsonValue;

/**
 * Gives `old` the empty lists and maps of `object`, so that comparing the two treats nil and empty as equal. Follows
 * apimachinery third_party/forked/golang/reflect/deep_equal.go, behind apiequality.Semantic.DeepEqual.
 */
export function createAlignEmpty(types: BuiltinTypes): AlignEmpty {
  const aligns = new Map<string, Align>();
  const alignOf = (name: string): Align => {
    const known = aligns.get(name);
    if (known) return known;
    aligns.set(name, (value, model) => alignOf(name)(value, model)); // For a type that contains itself.
    const info = types.typeInfo(name);
    const align = info?.is === 'alias' ? alignIn(info.of, alignOf) : structAlign(fieldAligns(types, name, alignOf));
    aligns.set(name, align);
    return align;
  };
  return (old, object) => {
    const type = types.typeOfKind({ ...parseApiVersion(object.apiVersion), kind: object.kind });
    if (type === undefined || old.apiVersion !== object.apiVersion) return old;
    return asKubernetesObject(alignOf(type)(old, object)) ?? old;
  };
}

interface FieldAlign {
  readonly name: string;
  readonly canBeEmpty: boolean;
  readonly align: Align;
}

const fieldAligns = (types: BuiltinTypes, name: string, alignOf: (name: string) => Align): readonly FieldAlign[] =>
  flatFields(types, name)
    .map((field) => ({
      name: field.name,
      canBeEmpty: canBeEmpty(types, field.type),
      align: alignIn(field.type, alignOf),
    }))
    .filter((field) => field.canBeEmpty || field.align !== unchanged);

const unchanged: Align = (value) => value;

function alignIn(type: TypeRef, alignOf: (name: string) => Align): Align {
  if (type.type === 'scalar') return unchanged;
  if (type.type === 'named') return alignOf(type.name);
  const element = alignIn(type.of, alignOf);
  if (element === unchanged) return unchanged;
  return type.type === 'list' ? listAlign(element) : mapAlign(element);
}

function structAlign(fields: readonly FieldAlign[]): Align {
  if (fields.length === 0) return unchanged;
  return (value, model) => {
    if (!isJsonObject(value) || !isJsonObject(model)) return value;
    const changed: Record<string, JsonValue> = {};
    for (const { name, canBeEmpty: is, align } of fields) {
      const [item = null, wanted = null] = [value[name], model[name]];
      if (wanted === null) continue;
      const next = item === null ? (is && isEmpty(wanted) ? wanted : null) : align(item, wanted);
      if (next !== item) changed[name] = next;
    }
    return withFields(value, changed);
  };
}

const listAlign =
  (element: Align): Align =>
  (value, model) => {
    if (!isList(value) || !isList(model)) return value;
    const aligned = value.map((item, index) => element(item, model[index] ?? null));
    return aligned.every((item, index) => item === value[index]) ? value : aligned;
  };

const mapAlign =
  (element: Align): Align =>
  (value, model) => {
    if (!isJsonObject(value) || !isJsonObject(model)) return value;
    const changed: Record<string, JsonValue> = {};
    for (const key of Object.keys(value)) {
      const item = value[key] ?? null;
      const next = element(item, model[key] ?? null);
      if (next !== item) setOwn(changed, key, next);
    }
    return withFields(value, changed);
  };

const withFields = (value: JsonObject, changed: JsonObject): JsonObject =>
  Object.keys(changed).length === 0 ? value : { ...value, ...changed };
