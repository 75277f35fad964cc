import { asObject, type JsonObject } from '../../machinery/json/json.ts';
import { withoutServerMetadata } from '../../machinery/meta/object.ts';
import { type FieldChange, changesBetween } from '../trace/object-diff.ts';
import { mapStrings, withoutRandomName } from '../trace/secret-values.ts';
import type { Trace } from '../trace/trace.ts';
import type { TableRow } from './decision-table.ts';
import { modelOf } from './model.ts';

/** Two requests side by side, for instance before and after a change of configurations. */
export interface RunsComparison {
  /** In the order of the first run; those of only the second run follow their predecessors there. */
  readonly callees: readonly ComparedCallee[];
  readonly warnings: readonly ComparedWarning[];
  /** From the first result to the second, without fields of the server. */
  readonly changes: readonly FieldChange[];
}

/** The rows of a webhook or policy in the tables of both explanations; undefined: not considered. */
export interface ComparedCallee {
  readonly name: string;
  readonly sides: readonly [TableRow | undefined, TableRow | undefined];
  /** Time does not count. */
  readonly differs: boolean;
}

export interface ComparedWarning {
  readonly text: string;
  /** Whether the first and the second run have it. */
  readonly in: readonly [boolean, boolean];
}

/** Webhooks and policies that were skipped in both runs are left out. */
export function compareRuns(one: Trace, other: Trace): RunsComparison {
  const [first, second] = [tableRows(one), tableRows(other)];
  const texts = [...new Set([...one.response.warnings, ...other.response.warnings])];
  return {
    callees: mergeInOrder([...first.keys()], [...second.keys()]).flatMap((key) => {
      const sides = [first.get(key), second.get(key)] as const;
      const name = (sides[0] ?? sides[1])?.name ?? '';
      return sides.some(isCall) ? [{ name, sides, differs: isDifferent(...sides) }] : [];
    }),
    warnings: texts.map((text) => ({
      text,
      in: [one.response.warnings.includes(text), other.response.warnings.includes(text)],
    })),
    changes: changesBetween(comparableObject(one), comparableObject(other)),
  };
}

const tableRows = (trace: Trace): ReadonlyMap<string, TableRow> =>
  new Map(modelOf(trace).table.map((row) => [`${row.decision.phase} ${row.name}`, row]));

const isCall = (row: TableRow | undefined): boolean => row !== undefined && row.result !== 'skipped';

const isDifferent = (one: TableRow | undefined, other: TableRow | undefined): boolean =>
  one?.result !== other?.result || one?.changed !== other?.changed;

const comparableObject = ({ objectAfter }: Trace): JsonObject | undefined =>
  objectAfter === null ? undefined : asObject(mapStrings(withoutServerMetadata(objectAfter), withoutRandomName));

/** The first list, with the items of only the second one inserted after their predecessors. */
function mergeInOrder(first: readonly string[], second: readonly string[]): readonly string[] {
  const all = [...first];
  for (const [at, key] of second.entries()) {
    if (all.includes(key)) continue;
    const before = second[at - 1];
    all.splice(before === undefined ? 0 : all.indexOf(before) + 1, 0, key);
  }
  return all;
}
