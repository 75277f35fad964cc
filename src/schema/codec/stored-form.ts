import { namesOf } from '../../apimachinery/field-names.ts';
import { parseApiVersion } from '../../apimachinery/gvk.ts';
import { isJsonObject, isList } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import { flatFields } from '../types/flat-fields.ts';
import type { Field, TypeRef } from '../types/type-info.ts';

/**
 * The object as it comes back from storage, where protobuf cannot tell an empty list or map from none: the `rules: []`
 * that webhooks saw is null in the answer. The same object when nothing changes.
 * Follows the generated.pb.go files of k8s.io/api.
 */
export function storedForm(types: BuiltinTypes, object: KubernetesObject): KubernetesObject {
  if (object.apiVersion === storedAsJson) return object;
  const type = types.typeOfKind({ ...parseApiVersion(object.apiVersion), kind: object.kind });
  const stored = type === undefined ? undefined : formsOf(types)(type)?.(object);
  return isJsonObject(stored) && stored !== object ? { ...object, ...stored } : object;
}

const storedAsJson = 'apiextensions.k8s.io/v1';

/** What a value becomes in storage: the same one when nothing changes. */
type Form = (value: JsonValue) => JsonValue;

/** By the name of a type, each made when it is first asked for; undefined for one that holds no list that is printed when it is empty. */
type FormOf = (name: string) => Form | undefined;

const made = new WeakMap<BuiltinTypes, FormOf>();

function formsOf(types: BuiltinTypes): FormOf {
  const known = made.get(types) ?? createForms(types);
  made.set(types, known);
  return known;
}

function createForms(types: BuiltinTypes): FormOf {
  const forms = new Map<string, Form | undefined>();
  const formOf: FormOf = (name) => {
    if (forms.has(name)) return forms.get(name);
    forms.set(name, (value) => forms.get(name)?.(value) ?? value); // For a type that contains itself.
    const fields = flatFields(types, name).flatMap((field): readonly FieldForm[] => {
      const form = fieldForm(field, formOf);
      return form ? [{ name: field.name, form }] : [];
    });
    forms.set(name, fields.length === 0 ? undefined : structForm(fields));
    return forms.get(name);
  };
  return formOf;
}

interface FieldForm {
  readonly name: string;
  readonly form: Form;
}

const structForm =
  (fields: readonly FieldForm[]): Form =>
  (value) => {
    if (!isJsonObject(value)) return value;
    let changed: Record<string, JsonValue | undefined> | undefined;
    for (const { name, form } of fields) {
      const item = value[name];
      const stored = storedAs(form, item);
      if (stored !== item) (changed ??= { ...value })[name] = stored;
    }
    return changed ?? value;
  };

const storedAs = (form: Form, item: JsonValue | undefined): JsonValue | undefined =>
  item === undefined ? undefined : form(item);

function fieldForm({ type, omitEmpty }: Field, formOf: FormOf): Form | undefined {
  const inside = formIn(type, formOf);
  if (type.type !== 'list' || omitEmpty) return inside;
  return (value) => (isList(value) && value.length === 0 ? null : (inside?.(value) ?? value));
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
      const stored = element(item);
      if (stored !== item) (changed ??= [...value])[at] = stored;
    }
    return changed ?? value;
  };

const mapForm =
  (element: Form): Form =>
  (value) => {
    if (!isJsonObject(value)) return value;
    const items = namesOf(value).map((key) => [key, value[key], storedAs(element, value[key])] as const);
    return items.every(([, item, stored]) => item === stored)
      ? value
      : Object.fromEntries(items.map(([key, , stored]) => [key, stored]));
  };
