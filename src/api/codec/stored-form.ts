import { isJsonObject, isList, setOwn, type JsonValue, type JsonObject } from '../../machinery/json/json.ts';
import { asKubernetesObject, type KubernetesObject } from '../../machinery/meta/object.ts';
import { flatFields, type BuiltinTypes } from '../types/builtin-types.ts';
import type { Field, TypeRef } from '../types/type-info.ts';

/** Returns the same object when nothing changes or its kind is not built in. */
export type ObjectForm = (object: KubernetesObject) => KubernetesObject;

/**
 * What becomes of an empty list, map or byte slice. Decoding keeps them: Go's validation and plugins distinguish empty
 * from nil.
 */
type EmptyRule = (field: Field) => 'absent' | 'null' | 'kept';

/** Follows encoding/json encode.go. */
export const createPrintedForm = (types: BuiltinTypes): ObjectForm =>
  createForm(types, ({ omitEmpty }) => (omitEmpty ? 'absent' : 'kept'));

/**
 * Protobuf does not distinguish an empty list or map from nil (it does for bytes): `rules: []` becomes null. Some
 * groups are stored as JSON. Follows the generated.pb.go files of k8s.io/api.
 */
export function createStoredForm(types: BuiltinTypes): ObjectForm {
  const fromProtobuf = createForm(types, ({ type, omitEmpty }) =>
    isBytes(type) ? 'kept' : omitEmpty ? 'absent' : 'null',
  );
  const fromJson = createPrintedForm(types);
  return (object) => (storedAsJson.has(object.apiVersion) ? fromJson(object) : fromProtobuf(object));
}

/** Follows apiextensions-apiserver pkg/apiserver/apiserver.go and kubernetes cmd/kube-apiserver/app/aggregator.go: LegacyCodec. */
const storedAsJson: ReadonlySet<string> = new Set(['apiextensions.k8s.io/v1', 'apiregistration.k8s.io/v1']);

/** A stored object as printed: only empty bytes remain to be omitted. */
export const createShownForm = (types: BuiltinTypes): ObjectForm =>
  createForm(types, ({ type, omitEmpty }) => (isBytes(type) && omitEmpty ? 'absent' : 'kept'));

const isBytes = (type: TypeRef): boolean => type.type === 'scalar' && type.scalar === 'bytes';

type Form = (value: JsonValue) => JsonValue;

/** undefined for a type in which nothing changes. */
type FormOf = (name: string) => Form | undefined;

function createForm(types: BuiltinTypes, rule: EmptyRule): ObjectForm {
  const forms = new Map<string, Form | undefined>();
  const formOf: FormOf = (name) => {
    if (forms.has(name)) return forms.get(name);
    forms.set(name, (value) => forms.get(name)?.(value) ?? value); // For a type that contains itself.
    const info = types.typeInfo(name);
    forms.set(name, info?.is === 'alias' ? formIn(info.of, formOf) : structForm(fieldForms(types, name, rule, formOf)));
    return forms.get(name);
  };
  return (object) => {
    const type = types.typeOfObject(object);
    const form = type === undefined ? undefined : formOf(type);
    return form ? (asKubernetesObject(form(object)) ?? object) : object;
  };
}

interface FieldForm {
  readonly name: string;
  readonly empty: ReturnType<EmptyRule>;
  readonly form: Form | undefined;
}

function fieldForms(types: BuiltinTypes, name: string, rule: EmptyRule, formOf: FormOf): readonly FieldForm[] {
  return flatFields(types, name).flatMap((field): readonly FieldForm[] => {
    const empty = canBeEmpty(types, field.type) ? rule(field) : 'kept';
    const form = formIn(field.type, formOf);
    return empty === 'kept' && form === undefined ? [] : [{ name: field.name, empty, form }];
  });
}

/** No field points to a list, map or byte slice. */
export function canBeEmpty(types: BuiltinTypes, type: TypeRef): boolean {
  if (type.type !== 'named') return type.type !== 'scalar' || type.scalar === 'bytes';
  const info = types.typeInfo(type.name);
  return info?.is === 'alias' && canBeEmpty(types, info.of);
}

export const isEmpty = (value: JsonValue | undefined): boolean =>
  value === '' || (isList(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0);

function structForm(fields: readonly FieldForm[]): Form | undefined {
  if (fields.length === 0) return undefined;
  return (value) => {
    if (!isJsonObject(value)) return value;
    let changed: Record<string, JsonValue | undefined> | undefined;
    for (const field of fields) {
      const item = value[field.name];
      const next = fieldValue(field, item);
      if (next === item) continue;
      changed ??= { ...value };
      if (next === undefined) delete changed[field.name];
      else changed[field.name] = next;
    }
    return changed ?? value;
  };
}

function fieldValue({ empty, form }: FieldForm, item: JsonValue | undefined): JsonValue | undefined {
  if (item === undefined || item === null) return item;
  if (empty === 'kept' || !isEmpty(item)) return form ? form(item) : item;
  return empty === 'null' ? null : undefined;
}

function formIn(type: TypeRef, formOf: FormOf): Form | undefined {
  if (type.type === 'scalar') return undefined;
  if (type.type === 'named') return formOf(type.name);
  const element = formIn(type.of, formOf);
  if (element === undefined) return undefined;
  return type.type === 'list' ? listForm(element) : mapForm(element);
}

const listForm =
  (element: Form): Form =>
  (value) => {
    if (!isList(value)) return value;
    let changed: JsonValue[] | undefined;
    for (let at = 0; at < value.length; at += 1) {
      const item = value[at] ?? null;
      const inside = element(item);
      if (inside !== item) (changed ??= [...value])[at] = inside;
    }
    return changed ?? value;
  };

const mapForm =
  (element: Form): Form =>
  (value) => {
    if (!isJsonObject(value)) return value;
    let changed: Record<string, JsonValue | undefined> | undefined;
    for (const key of Object.keys(value)) {
      const item = value[key] ?? null;
      const inside = element(item);
      if (inside !== item) setOwn((changed ??= { ...value }), key, inside);
    }
    return changed ?? value;
  };

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
    const type = types.typeOfObject(object);
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
