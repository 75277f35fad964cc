import { asObject } from '../../../src/machinery/json/json.ts';
import type { ReleaseTables } from '../../../src/api/release/release.ts';
import { type ReleaseDelta, indexByName, type TableDelta } from '../../../src/api/release/load-release.ts';

/** What `tables` have otherwise than `base`: applyReleaseDelta() makes them of it again. */
export const deltaOf = (base: ReleaseTables, tables: ReleaseTables): ReleaseDelta => ({
  version: tables.types.version,
  kinds: tableDelta(base.types.kinds, tables.types.kinds),
  types: tableDelta(base.types.types, tables.types.types),
  atomic: tableDelta(marked(base.types.atomic), marked(tables.types.atomic)),
  unserved: tableDelta(marked(base.types.unserved), marked(tables.types.unserved)),
  columns: tableDelta(base.columns, tables.columns),
  featureGates: tableDelta(base.featureGates, tables.featureGates),
  deprecations: tableDelta(base.deprecations, tables.deprecations),
  bootstrapRbac: Object.fromEntries(
    Object.entries(tables.bootstrapRbac).map(([list, rows]) => [
      list,
      tableDelta(indexByName(base.bootstrapRbac[list]), indexByName(rows)),
    ]),
  ),
  resources: tables.resources,
});

const marked = (names: readonly string[]): Readonly<Record<string, boolean>> =>
  Object.fromEntries(names.map((name) => [name, true]));

function tableDelta<T>(from: Readonly<Record<string, T>>, to: Readonly<Record<string, T>>): TableDelta<T> {
  const isOther = ([name, value]: [string, T]): boolean => JSON.stringify(from[name]) !== JSON.stringify(value);
  return {
    set: Object.fromEntries(Object.entries(to).filter(isOther)),
    drop: Object.keys(from).filter((name) => !Object.hasOwn(to, name)),
  };
}

/** One entry per line, for readable diffs. */
export function deltaText(delta: ReleaseDelta): string {
  const tables = Object.entries(asObject(JSON.parse(JSON.stringify(delta))));
  return `{\n${tables.map(([name, value]) => `${JSON.stringify(name)}:${valueText(value)}`).join(',\n')}\n}\n`;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((row) => JSON.stringify(row)).join(',\n')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isTable = Object.hasOwn(value, 'set');
  const lines = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}:${isTable ? rowsText(inner) : valueText(inner)}`,
  );
  return `{${lines.join(',\n')}}`;
}

const rowsText = (rows: unknown): string =>
  Array.isArray(rows)
    ? JSON.stringify(rows)
    : `{${Object.entries(Object(rows))
        .map(([name, row]) => `${JSON.stringify(name)}:${JSON.stringify(row)}`)
        .join(',\n')}}`;
