import { asString, isJsonObject, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import { type Definitions, type FieldOfObject, collectFields, resolveType } from './object-fields.ts';
import { type Chance, misfits, someValue } from './values.ts';

/** The object with one value removed, set, emptied, duplicated or changed to another type. */
export function mutateObject(
  definitions: Definitions,
  object: JsonObject,
  type: JsonObject,
  chance: Chance,
): JsonObject {
  const fields = collectFields(definitions, object, type);
  const isSpec = (field: FieldOfObject): boolean => field.path[0] !== 'metadata';
  const field = chance.pick(chance.happens(0.8) ? fields.filter(isSpec) : fields);
  if (!field) return object;
  const fresh = (): JsonValue => someValue(definitions, field.type, chance, Math.min(field.path.length, 4));
  const replaced = (value: JsonValue | undefined): JsonObject => withValue(object, field.path, () => value);
  if (!field.isFilled || chance.happens(0.5)) return replaced(fresh());
  switch (chance.pick(['remove', 'misfit', 'null', 'empty', 'double', 'unknown']) ?? 'remove') {
    case 'remove':
      return replaced(undefined);
    case 'misfit':
      return replaced(chance.pick(misfits) ?? null);
    case 'null':
      return replaced(null);
    case 'empty':
      return replaced(emptyOf(asString(resolveType(definitions, field.type)['type'])));
    case 'double':
      return withValue(object, field.path, (value) => (Array.isArray(value) ? [...value, ...value] : fresh()));
    default:
      return withValue(object, field.path, (value) => (isJsonObject(value) ? { ...value, unknownField: 1 } : fresh()));
  }
}

function emptyOf(type: string): JsonValue {
  if (type === 'array') return [];
  if (type === 'string') return '';
  return type === 'integer' ? 0 : {};
}

/** Sets the value at a path; undefined removes it. */
function withValue(
  object: JsonObject,
  path: FieldOfObject['path'],
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonObject {
  const copy: JsonValue | undefined = changeAtPath(object, path, change);
  return isJsonObject(copy) ? copy : object;
}

function changeAtPath(
  value: JsonValue | undefined,
  [key, ...rest]: FieldOfObject['path'],
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const next = index === key ? changeAtPath(item, rest, change) : item;
      return next === undefined ? [] : [next];
    });
  }
  if (!isJsonObject(value)) return value;
  return { ...value, [key]: changeAtPath(value[key], rest, change) };
}
