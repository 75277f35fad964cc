import { mapFields } from '../../machinery/meta/map-fields.ts';
import { asObject, isJsonObject, isList } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { withoutEmpty } from './without-empty.ts';
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
    return isList(value) ? value.map((item) => internalForm(type.slice(2), item)) : null;
  }
  if (type.startsWith('map ')) return isJsonObject(value) ? mapForm(type.slice(4), value) : null;
  const fields = internalTypes.get(type);
  return fields ? structForm(type, fields, asObject(value)) : plainForm(type, value);
}

/** What has no fields of its own in the table. */
const plainForm = (type: string, value: JsonValue | undefined): JsonValue =>
  type === 'labelselector' ? withoutEmpty(value ?? {}) : (value ?? zeroValues[type] ?? null);

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
  mapFields(Object.keys(value).toSorted(), (key) => internalForm(type, value[key]));

function structForm(struct: string, fields: readonly string[], value: JsonObject): JsonObject {
  const source = struct === 'core.PodSpec' ? withHostFields(value) : value;
  const byName = new Map<string, JsonValue | undefined>();
  for (const name in source) byName.set(name.toLowerCase(), source[name]);
  const form: Record<string, JsonValue> = {};
  for (const { name, jsonName, type } of fields.map(goField)) {
    if (name !== '') form[name] = internalForm(type, byName.get(jsonName));
    else Object.assign(form, type === 'meta' ? withoutEmpty(asObject(value['metadata'])) : internalForm(type, value));
  }
  return form;
}

/** A field of a struct; its JSON name is in small letters. */
interface GoField {
  readonly name: string;
  readonly jsonName: string;
  readonly type: string;
}

const goFields = new Map<string, GoField>();

/** The field of a line of the table. */
function goField(line: string): GoField {
  const known = goFields.get(line);
  if (known) return known;
  const [name = '', ...type] = line.split(' ');
  const field = { name, jsonName: (jsonNames[name] ?? name).toLowerCase(), type: type.join(' ') };
  goFields.set(line, field);
  return field;
}

/** Internally a pod's namespaces on its host are part of its security context. Follows kubernetes pkg/apis/core/v1/conversion.go. */
function withHostFields(spec: JsonObject): JsonObject {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext } = spec;
  const host = { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers };
  return { ...spec, securityContext: { ...asObject(securityContext), ...host } };
}
