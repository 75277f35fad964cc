import { isEmptyObject, isJsonObject, isList, mapChanged, setOwn, type JsonValue } from '../../machinery/json/json.ts';
import { asKubernetesObject, type KubernetesObject } from '../../machinery/meta/object.ts';
import { flattenFields, type BuiltinTypes } from '../types/builtin-types.ts';
import { type Field, type TypeRef, unionSchemaType } from '../types/type-info.ts';

/** Returns the same object when nothing changes or its kind is not built in. */
export type ObjectForm = (object: KubernetesObject) => KubernetesObject;

/**
 * What becomes of a field that can be an empty list, map or byte slice; `model` is the same field of another object. Decoding keeps
 * empty values: Go's validation and plugins distinguish empty from nil.
 */
type EmptyRule = (item: JsonValue | undefined, model: JsonValue | undefined) => JsonValue | undefined;

/** undefined for a field that stays as it is. */
type RuleOf = (field: Field) => EmptyRule | undefined;

const dropEmpty: EmptyRule = (item) => (isEmpty(item) ? undefined : item);
const nullEmpty: EmptyRule = (item) => (isEmpty(item) ? null : item);

/** Follows encoding/json encode.go. */
export const createPrintedForm = (types: BuiltinTypes): ObjectForm =>
  createForm(types, ({ omitEmpty }) => (omitEmpty ? dropEmpty : undefined));

/**
 * Protobuf does not distinguish an empty list or map from nil (it does for bytes): `rules: []` becomes null. Some
 * groups are stored as JSON. Follows the generated.pb.go files of k8s.io/api.
 */
export function createStoredForm(types: BuiltinTypes): ObjectForm {
  const fromProtobuf = createForm(types, ({ type, omitEmpty }) =>
    isBytes(type) ? undefined : omitEmpty ? dropEmpty : nullEmpty,
  );
  const fromJson = createPrintedForm(types);
  return (object) => (storedAsJson.has(object.apiVersion) ? fromJson(object) : fromProtobuf(object));
}

/** Follows apiextensions-apiserver pkg/apiserver/apiserver.go and kubernetes cmd/kube-apiserver/app/aggregator.go: LegacyCodec. */
const storedAsJson: ReadonlySet<string> = new Set(['apiextensions.k8s.io/v1', 'apiregistration.k8s.io/v1']);

/** A stored object as printed: only empty bytes remain to be omitted. */
export const createShownForm = (types: BuiltinTypes): ObjectForm =>
  createForm(types, ({ type, omitEmpty }) => (isBytes(type) && omitEmpty ? dropEmpty : undefined));

const isBytes = (type: TypeRef): boolean => type.type === 'scalar' && type.scalar === 'bytes';

function createForm(types: BuiltinTypes, ruleOf: RuleOf): ObjectForm {
  const transform = createObjectWalk(types, ruleOf);
  return (object) => transform(object, object);
}

export type AlignEmpty = (old: KubernetesObject, object: KubernetesObject) => KubernetesObject;

/**
 * Gives `old` the empty lists and maps of `object`, so that comparing the two treats nil and empty as equal. Follows
 * apimachinery third_party/forked/golang/reflect/deep_equal.go, behind apiequality.Semantic.DeepEqual.
 */
export function createAlignEmpty(types: BuiltinTypes): AlignEmpty {
  const align = createObjectWalk(types, () => (item, model) => (isEmpty(model) ? (item ?? model) : item));
  return (old, object) => (old.apiVersion === object.apiVersion ? align(old, object) : old);
}

type Walk = (value: JsonValue, model: JsonValue) => JsonValue;

/** undefined for a type in which nothing changes. */
type WalkOf = (name: string) => Walk | undefined;

/** Applies the rules to all fields of an object, beside those of a model of the same kind. */
function createObjectWalk(types: BuiltinTypes, ruleOf: RuleOf): AlignEmpty {
  const walks = new Map<string, Walk | undefined>();
  const walkOf: WalkOf = (name) => {
    if (walks.has(name)) return walks.get(name);
    walks.set(name, (value, model) => walks.get(name)?.(value, model) ?? value); // For a type that contains itself.
    walks.set(name, createNamedWalk(types, name, ruleOf, walkOf));
    return walks.get(name);
  };
  return (object, model) => {
    const type = types.typeOfObject(object);
    const walk = type === undefined ? undefined : walkOf(type);
    return walk ? (asKubernetesObject(walk(object, model)) ?? object) : object;
  };
}

function createNamedWalk(types: BuiltinTypes, name: string, ruleOf: RuleOf, walkOf: WalkOf): Walk | undefined {
  const info = types.typeInfo(name);
  if (info?.is === 'alias') return createWalk(info.of, walkOf);
  if (info?.is === 'union') return createUnionWalk(walkOf(unionSchemaType));
  return createStructWalk(createFieldWalks(types, name, ruleOf, walkOf));
}

interface FieldWalk {
  readonly name: string;
  readonly rule: EmptyRule | undefined;
  readonly walk: Walk | undefined;
}

const createFieldWalks = (types: BuiltinTypes, name: string, ruleOf: RuleOf, walkOf: WalkOf): readonly FieldWalk[] =>
  flattenFields(types, name)
    .map((field) => ({
      name: field.name,
      rule: canBeEmpty(types, field.type) ? ruleOf(field) : undefined,
      walk: createWalk(field.type, walkOf),
    }))
    .filter(({ rule, walk }) => rule !== undefined || walk !== undefined);

/** No field points to a list, map or byte slice. */
export function canBeEmpty(types: BuiltinTypes, type: TypeRef): boolean {
  if (type.type !== 'named') return type.type !== 'scalar' || type.scalar === 'bytes';
  const info = types.typeInfo(type.name);
  return info?.is === 'alias' && canBeEmpty(types, info.of);
}

export const isEmpty = (value: JsonValue | undefined): boolean =>
  value === '' || (isList(value) ? value.length === 0 : isJsonObject(value) && isEmptyObject(value));

function createStructWalk(fields: readonly FieldWalk[]): Walk | undefined {
  if (fields.length === 0) return undefined;
  return (value, model) => {
    if (!isJsonObject(value) || !isJsonObject(model)) return value;
    let changed: Record<string, JsonValue | undefined> | undefined;
    for (const field of fields) {
      const item = value[field.name];
      const next = walkField(field, item, model[field.name]);
      if (next === item) continue;
      changed ??= { ...value };
      if (next === undefined) delete changed[field.name];
      else changed[field.name] = next;
    }
    return changed ?? value;
  };
}

function walkField(
  { rule, walk }: FieldWalk,
  item: JsonValue | undefined,
  model: JsonValue | undefined,
): JsonValue | undefined {
  if (item === undefined && model === undefined) return undefined;
  const result = rule ? rule(item, model) : item;
  return walk && result !== undefined ? walk(result, model ?? null) : result;
}

function createWalk(type: TypeRef, walkOf: WalkOf): Walk | undefined {
  if (type.type === 'scalar') return undefined;
  if (type.type === 'named') return walkOf(type.name);
  const element = createWalk(type.of, walkOf);
  if (element === undefined) return undefined;
  return type.type === 'list' ? createListWalk(element) : createMapWalk(element);
}

const createListWalk =
  (element: Walk): Walk =>
  (value, model) => {
    if (!isList(value) || !isList(model)) return value;
    return mapChanged(value, (item, index) => element(item, model[index] ?? null));
  };

/** A schema, or a list of schemas. */
function createUnionWalk(schema: Walk | undefined): Walk | undefined {
  if (schema === undefined) return undefined;
  const list = createListWalk(schema);
  return (value, model) => (isList(value) ? list(value, model) : schema(value, model));
}

const createMapWalk =
  (element: Walk): Walk =>
  (value, model) => {
    if (!isJsonObject(value) || !isJsonObject(model)) return value;
    let changed: Record<string, JsonValue | undefined> | undefined;
    for (const key of Object.keys(value)) {
      const item = value[key] ?? null;
      const next = element(item, model[key] ?? null);
      if (next !== item) setOwn((changed ??= { ...value }), key, next);
    }
    return changed ?? value;
  };
