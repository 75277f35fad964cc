import { asObject, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import table from './internal-types.json' with { type: 'json' };

/** The fields of Go's internal types: `Name type`, without a name what is embedded. Made by test/tools/internal-types.go. */
const internalTypes: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(table));

/** Fields whose JSON name is not their Go name in other letters. */
const jsonNames: Readonly<Record<string, string>> = {
  CephMonitors: 'monitors',
  RBDImage: 'image',
  RBDPool: 'pool',
  RadosUser: 'user',
  DataDiskURI: 'diskuri',
};

/**
 * A value as Go prints it in a field error: validation sees internal types, which mostly have no JSON names, so every
 * field is there under its Go name. `type` is one of internal-types.json: `core.PodSpec`, `[]core.Volume`, `*int`.
 */
export function internalForm(type: string, value: JsonValue | undefined): JsonValue {
  if (type.startsWith('*')) return value === undefined || value === null ? null : internalForm(type.slice(1), value);
  if (type.startsWith('[]')) {
    return Array.isArray(value) ? value.map((item) => internalForm(type.slice(2), item)) : null;
  }
  if (type.startsWith('map ')) return isJsonObject(value) ? mapForm(type.slice(4), value) : null;
  const fields = internalTypes.get(type);
  return fields ? structForm(type, fields, asObject(value)) : (value ?? zeroValues[type] ?? null);
}

const zeroValues: Readonly<Record<string, JsonValue>> = {
  string: '',
  int: 0,
  bool: false,
  quantity: '0',
  intstr: 0,
  json: {},
};

/** Go prints the keys of a map in their order. */
const mapForm = (type: string, value: JsonObject): JsonValue =>
  Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, internalForm(type, item)]),
  );

function structForm(struct: string, fields: readonly string[], value: JsonObject): JsonObject {
  const source = struct === 'core.PodSpec' ? withHostFields(value) : value;
  const byName = new Map(Object.entries(source).map(([field, item]) => [field.toLowerCase(), item]));
  return Object.fromEntries(
    fields.flatMap((field): [string, JsonValue][] => {
      const [, name = '', type = ''] = /^(\S*) (.*)$/.exec(field) ?? [];
      if (name !== '') return [[name, internalForm(type, byName.get((jsonNames[name] ?? name).toLowerCase()))]];
      const embedded = type === 'meta' ? asObject(value['metadata']) : asObject(internalForm(type, value));
      return Object.entries(embedded).flatMap(([key, item]) => (item === undefined ? [] : [[key, item]]));
    }),
  );
}

/** Internally a pod's namespaces on its host are part of its security context. Follows kubernetes pkg/apis/core/v1/conversion.go. */
function withHostFields(spec: JsonObject): JsonObject {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext } = spec;
  const host = { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers };
  return { ...spec, securityContext: { ...asObject(securityContext), ...host } };
}
