import { asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { ReleaseTables } from './release.ts';

/** What another release's table has otherwise: entries to set, and names that it does not have. */
export interface TableDelta<T> {
  readonly set: Readonly<Record<string, T>>;
  readonly drop: readonly string[];
}

/** A release as what it has otherwise than another one. Made by test/tools/make-release.ts. */
export interface ReleaseDelta {
  readonly version: string;
  readonly kinds: TableDelta<string>;
  readonly types: TableDelta<string | readonly string[]>;
  readonly atomic: TableDelta<boolean>;
  readonly unserved: TableDelta<boolean>;
  readonly columns: TableDelta<ReleaseTables['columns'][string]>;
  readonly featureGates: TableDelta<string>;
  readonly deprecations: TableDelta<string>;
  /** By kind of list, then by `namespace/name`. */
  readonly bootstrapRbac: Readonly<Record<string, TableDelta<JsonObject>>>;
  /** As they are: their order is what differs most. */
  readonly resources: ReleaseTables['resources'];
}

/** The tables of a release that was written as what it has otherwise than `base`. All of these tables are in the order of their names. */
export function applyReleaseDelta(base: ReleaseTables, delta: ReleaseDelta): ReleaseTables {
  return {
    types: {
      version: delta.version,
      kinds: changed(base.types.kinds, delta.kinds),
      unserved: changedNames(base.types.unserved, delta.unserved),
      atomic: changedNames(base.types.atomic, delta.atomic),
      types: changed(base.types.types, delta.types),
    },
    resources: delta.resources,
    columns: changed(base.columns, delta.columns),
    featureGates: changed(base.featureGates, delta.featureGates),
    bootstrapRbac: Object.fromEntries(
      Object.entries(delta.bootstrapRbac).map(([list, rows]) => [
        list,
        Object.values(changed(rowsByName(base.bootstrapRbac[list]), rows)),
      ]),
    ),
    deprecations: changed(base.deprecations, delta.deprecations),
  };
}

/** Roles and bindings by `namespace/name`. */
export function rowsByName(rows: JsonValue | undefined): Readonly<Record<string, JsonObject>> {
  const all = Array.isArray(rows) ? rows.map(asObject) : [];
  return Object.fromEntries(all.map((row) => [`${asString(row['namespace'])}/${asString(row['name'])}`, row]));
}

const changedNames = (names: readonly string[], delta: TableDelta<boolean>): readonly string[] =>
  Object.keys(changed(Object.fromEntries(names.map((name): [string, boolean] => [name, true])), delta));

function changed<T>(table: Readonly<Record<string, T>>, { set, drop }: TableDelta<T>): Readonly<Record<string, T>> {
  const dropped = new Set(drop);
  const kept = Object.entries(table).filter(([name]) => !dropped.has(name) && !Object.hasOwn(set, name));
  return Object.fromEntries([...kept, ...Object.entries(set)].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
