import { compareTexts } from '../../machinery/go/strings.ts';
import { asString, isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { withMetadata, type KubernetesObject } from '../../machinery/meta/object.ts';
import { parseTime } from '../../machinery/meta/time.ts';
import { leaf, type FieldSet, type FieldSetDraft } from './field-set.ts';
import { sortFieldSet } from './path-element.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';

/** An entry of metadata.managedFields. */
export interface Manager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339; '' when an apply changed nothing. */
  readonly time: string;
  readonly fields: FieldSet;
  /** The entry it was decoded from, while unchanged. */
  readonly entry?: JsonObject;
}

export type Managers = ReadonlyMap<string, Manager>;

/** Follows apimachinery pkg/util/managedfields/internal/managedfields.go BuildManagerIdentifier. */
export function buildManagerIdentifier({
  manager,
  operation,
  apiVersion,
  subresource,
}: Omit<Manager, 'fields' | 'time'>): string {
  return JSON.stringify({
    manager: manager === '' ? undefined : manager,
    operation,
    apiVersion: operation === 'Apply' ? undefined : apiVersion,
    subresource: subresource === '' ? undefined : subresource,
  });
}

/** undefined when an entry is invalid. */
export function decodeManagers(entries: readonly JsonValue[]): Managers | undefined {
  const managers = new Map<string, Manager>();
  for (const entry of entries) {
    const manager = isJsonObject(entry) ? decodeManager(entry) : undefined;
    if (!manager) return undefined;
    managers.set(buildManagerIdentifier(manager), manager);
  }
  return managers;
}

function decodeManager(entry: JsonObject): Manager | undefined {
  const { operation, fieldsType, fieldsV1 } = entry;
  if ((operation !== 'Apply' && operation !== 'Update') || fieldsType !== 'FieldsV1') return undefined;
  const sent = fieldsV1 ?? {};
  const fields = isFieldSet(sent) ? sent : dropUnknown(sent);
  if (!isFieldSet(fields)) return undefined;
  const [manager, apiVersion] = [asString(entry['manager']), asString(entry['apiVersion'])];
  if (apiVersion === '') return undefined;
  const [subresource, time] = [asString(entry['subresource']), asString(entry['time'])];
  const decoded: Manager = { manager, operation, apiVersion, subresource, time, fields };
  return fields === sent ? { ...decoded, entry } : decoded;
}

export function isFieldSet(value: JsonValue): value is FieldSet {
  if (!isJsonObject(value)) return false;
  const isPart = (element: string): boolean =>
    (element === '.' || isPathElementText(element)) && isFieldSet(value[element] ?? null);
  return Object.keys(value).every(isPart);
}

/** Unknown element types are dropped. Follows structured-merge-diff fieldpath/serialize.go readIterV1. */
function dropUnknown(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([element]) => !/^[^fikv]:/u.test(element));
  return Object.fromEntries(entries.map(([element, below]) => [element, dropUnknown(below ?? null)]));
}

function isPathElementText(element: string): boolean {
  if (element.startsWith('f:')) return true;
  if (element.startsWith('i:')) return /^i:-?\d+$/.test(element);
  return /^[kv]:/.test(element) && isJson(element.slice(2), element.startsWith('k:'));
}

function isJson(text: string, object: boolean): boolean {
  try {
    const value: JsonValue = JSON.parse(text);
    return !object || isJsonObject(value);
  } catch {
    return false;
  }
}

/** Sorted; undefined for no managers. Follows managedfields.go sortEncodedManagedFields. */
export function encodeManagers(managers: Managers): readonly JsonObject[] | undefined {
  if (managers.size === 0) return undefined;
  const all = [...managers.values()];
  if (all.length === 1) return all.map(encodeManager);
  const timed = all.map((manager): TimedManager => ({ manager, seconds: managerSeconds(manager) }));
  return timed.sort(compareManagers).map(({ manager }) => encodeManager(manager));
}

/** Runs on every write: spreading conditional parts is five times slower. */
function encodeManager({ manager, operation, apiVersion, subresource, time, fields, entry }: Manager): JsonObject {
  if (entry) return entry;
  const encoded: { [field: string]: JsonValue } = {};
  if (manager !== '') encoded['manager'] = manager;
  encoded['operation'] = operation;
  if (apiVersion !== '') encoded['apiVersion'] = apiVersion;
  if (time !== '') encoded['time'] = time;
  encoded['fieldsType'] = 'FieldsV1';
  encoded['fieldsV1'] = sortFieldSet(fields);
  if (subresource !== '') encoded['subresource'] = subresource;
  return encoded;
}

interface TimedManager {
  readonly manager: Manager;
  readonly seconds: number;
}

function compareManagers({ manager: a, seconds }: TimedManager, { manager: b, seconds: other }: TimedManager): number {
  return (
    compareTexts(a.operation, b.operation) ||
    seconds - other ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

/** 0 for an entry without a time. */
export function managerSeconds({ time }: Manager): number {
  if (time === '') return 0;
  const reading = parseTime(time);
  return reading.outcome === 'parsed' ? reading.moment.seconds : 0;
}

export function replaceFields({ entry: _entry, ...manager }: Manager, fields: FieldSet): Manager {
  return { ...manager, fields };
}

export const noManagers: Managers = new Map();

export const dropManagers = (object: KubernetesObject): KubernetesObject =>
  object.metadata?.managedFields === undefined ? object : withMetadata(object, { managedFields: undefined });

export function setManagers(object: KubernetesObject, managers: Managers): KubernetesObject {
  return withMetadata(object, { managedFields: encodeManagers(managers) });
}

/**
 * Adapts owned fields to a type whose field became atomic or granular. Follows structured-merge-diff merge/update.go
 * and typed/reconcile_schema.go.
 */
export function reconcileManagers(managers: Managers, typeIn: (apiVersion: string) => ValueType | undefined): Managers {
  const all = new Map<string, Manager>();
  for (const [identity, manager] of managers) all.set(identity, reconcileManager(manager, typeIn));
  return all;
}

function reconcileManager(manager: Manager, typeIn: (apiVersion: string) => ValueType | undefined): Manager {
  const { fields, apiVersion } = manager;
  const type = typeIn(apiVersion);
  const reconciled = type ? reconcileFields(type, fields) : fields;
  return reconciled === fields ? manager : replaceFields(manager, reconciled);
}

function reconcileFields(type: ValueType, fields: FieldSet): FieldSet {
  if (type.is !== 'map' && type.is !== 'list') return fields;
  const elements = Object.keys(fields).filter((element) => element !== '.');
  if (elements.length === 0) return fields;
  if (type.is === 'map' ? type.atomic : type.relation === 'atomic') return leaf;
  let changed: FieldSetDraft | undefined;
  for (const element of elements) {
    const inner = childType(type, element);
    if (!inner) continue;
    const child = fields[element] ?? leaf;
    const reconciled = reconcileFields(inner, child);
    if (reconciled !== child) (changed ??= { ...fields })[element] = reconciled;
  }
  return changed ?? fields;
}

const childType = (type: ListType | MapType, element: string): ValueType | undefined =>
  type.is === 'list' ? type.element() : type.field(element.slice(2));
