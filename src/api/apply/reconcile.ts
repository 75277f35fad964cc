import type { JsonObject } from '../../machinery/json/json.ts';
import { leaf, type FieldSet, type FieldSetDraft } from './field-set.ts';
import { withFields, type Manager, type Managers } from './managed-fields.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';

/**
 * Adapts owned fields to a type whose field became atomic or granular. Follows structured-merge-diff merge/update.go
 * and typed/reconcile_schema.go.
 */
export function reconciled(managers: Managers, typeIn: (apiVersion: string) => ValueType | undefined): Managers {
  const all = new Map<string, Manager>();
  for (const [identity, manager] of managers) all.set(identity, reconciledManager(manager, typeIn));
  return all;
}

/** Entries survive writes: each is checked once per type. */
const known = new WeakMap<JsonObject, ValueType>();

function reconciledManager(manager: Manager, typeIn: (apiVersion: string) => ValueType | undefined): Manager {
  const { entry, fields, apiVersion } = manager;
  const type = typeIn(apiVersion);
  const isKnown = entry !== undefined && known.get(entry) === type;
  if (!type || isKnown) return manager;
  const now = reconciledFields(type, fields);
  if (now !== fields) return withFields(manager, now);
  if (entry) known.set(entry, type);
  return manager;
}

function reconciledFields(type: ValueType, fields: FieldSet): FieldSet {
  if (type.is !== 'map' && type.is !== 'list') return fields;
  const elements = Object.keys(fields).filter((element) => element !== '.');
  if (elements.length === 0) return fields;
  if (type.is === 'map' ? type.atomic : type.relation === 'atomic') return leaf;
  let changed: FieldSetDraft | undefined;
  for (const element of elements) {
    const inner = innerType(type, element);
    if (!inner) continue;
    const mine = fields[element] ?? leaf;
    const now = reconciledFields(inner, mine);
    if (now !== mine) (changed ??= { ...fields })[element] = now;
  }
  return changed ?? fields;
}

const innerType = (type: ListType | MapType, element: string): ValueType | undefined =>
  type.is === 'list' ? type.element() : type.field(element.slice(2));
