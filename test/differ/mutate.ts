import { asString, isJsonObject, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import { type Definitions, type Place, placesOf, resolved } from './places.ts';
import { type Chance, misfits, someValue } from './values.ts';

/** The object with one place removed, filled, emptied, doubled or given a value of another type. */
export function mutated(definitions: Definitions, object: JsonObject, type: JsonObject, chance: Chance): JsonObject {
  const places = placesOf(definitions, object, type);
  const isSpec = (place: Place): boolean => place.path[0] !== 'metadata';
  const place = chance.pick(chance.happens(0.8) ? places.filter(isSpec) : places);
  if (!place) return object;
  const fresh = (): JsonValue => someValue(definitions, place.type, chance, Math.min(place.path.length, 4));
  const replaced = (value: JsonValue | undefined): JsonObject => withValue(object, place.path, () => value);
  if (!place.isFilled || chance.happens(0.5)) return replaced(fresh());
  switch (chance.pick(['remove', 'misfit', 'null', 'empty', 'double', 'unknown']) ?? 'remove') {
    case 'remove':
      return replaced(undefined);
    case 'misfit':
      return replaced(chance.pick(misfits) ?? null);
    case 'null':
      return replaced(null);
    case 'empty':
      return replaced(emptyOf(asString(resolved(definitions, place.type)['type'])));
    case 'double':
      return withValue(object, place.path, (value) => (Array.isArray(value) ? [...value, ...value] : fresh()));
    default:
      return withValue(object, place.path, (value) => (isJsonObject(value) ? { ...value, unknownField: 1 } : fresh()));
  }
}

function emptyOf(type: string): JsonValue {
  if (type === 'array') return [];
  if (type === 'string') return '';
  return type === 'integer' ? 0 : {};
}

/** The object with another value at a path; undefined takes the place away. */
function withValue(
  object: JsonObject,
  path: Place['path'],
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonObject {
  const copy: JsonValue | undefined = changed(object, path, change);
  return isJsonObject(copy) ? copy : object;
}

function changed(
  value: JsonValue | undefined,
  [key, ...rest]: Place['path'],
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const next = index === key ? changed(item, rest, change) : item;
      return next === undefined ? [] : [next];
    });
  }
  if (!isJsonObject(value)) return value;
  return { ...value, [key]: changed(value[key], rest, change) };
}
