import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';

/** Lazy: big schemas have thousands of nodes. */
export interface Properties<T> {
  readonly names: readonly string[];
  readonly has: (name: string) => boolean;
  readonly get: (name: string) => T | undefined;
}

export function readProperties<T>(json: JsonValue | undefined, read: (schema: JsonObject) => T): Properties<T> {
  const properties = asObject(json);
  // Not a WeakMap by schema: one for all nodes of hundreds of definitions is slow to grow.
  const known = new Map<string, T>();
  return {
    names: Object.keys(properties),
    has: (name) => Object.hasOwn(properties, name),
    get: (name) => {
      const before = known.get(name);
      if (before !== undefined || !Object.hasOwn(properties, name)) return before;
      const fresh = read(asObject(properties[name]));
      known.set(name, fresh);
      return fresh;
    },
  };
}

export function readOnce<T>(make: (json: JsonObject) => T): (json: JsonObject) => T {
  const made = new WeakMap<JsonObject, T>();
  return (json) => {
    const known = made.get(json);
    if (known !== undefined) return known;
    const fresh = make(json);
    made.set(json, fresh);
    return fresh;
  };
}

/** additionalProperties: a schema or a boolean. */
export const readAdditional = <T>(
  json: JsonValue | undefined,
  read: (schema: JsonObject) => T,
): T | boolean | undefined => (isJsonObject(json) ? read(json) : typeof json === 'boolean' ? json : undefined);
