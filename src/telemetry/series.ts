import type { Labels } from './family.ts';

/** Something counted apart for every combination of labels. */
export interface Series<Cell> {
  /** The one for these values, which follow the names; made when it is new. */
  readonly at: (...values: readonly string[]) => Cell;
  readonly all: () => readonly (readonly [labels: Labels, cell: Cell])[];
}

export function createSeries<Cell>(names: readonly string[], make: () => Cell): Series<Cell> {
  const cells = new Map<string, readonly [Labels, Cell]>();
  return {
    at: (...values) => {
      const key = values.join('\n');
      const known = cells.get(key);
      if (known) return known[1];
      const labels = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
      const cell = make();
      cells.set(key, [labels, cell]);
      return cell;
    },
    all: () => [...cells.values()],
  };
}
