import type { Family } from './family.ts';
import { createSeries } from './series.ts';

/** Something that is only counted. */
export interface Counter {
  /** One more; the values follow the names of the labels. */
  readonly add: (...values: readonly string[]) => void;
  /** The series is printed from now on, also before anything is counted. */
  readonly begin: (...values: readonly string[]) => void;
  readonly family: Family;
}

export function createCounter(name: string, help: string, labels: readonly string[]): Counter {
  const series = createSeries(labels, () => ({ count: 0 }));
  return {
    add: (...values) => {
      series.at(...values).count += 1;
    },
    begin: (...values) => {
      series.at(...values);
    },
    family: {
      name,
      help,
      type: 'counter',
      samples: () => series.all().map(([own, { count }]) => ({ suffix: '', labels: own, value: count })),
    },
  };
}
