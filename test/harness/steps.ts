import { Session } from 'node:inspector';

/** Counts what runs instead of how long it takes: the same on every machine, and on a busy one. */
export interface StepCounter {
  /** How often blocks of code ran since this was asked last. What Node does in one go, such as sorting, counts as one. */
  readonly taken: () => number;
  readonly close: () => void;
}

interface Coverage {
  readonly result: readonly { readonly url: string; readonly functions: readonly CoveredFunction[] }[];
}

interface CoveredFunction {
  readonly ranges: readonly { readonly count: number }[];
}

export function createStepCounter(): StepCounter {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    taken: () => {
      let steps = 0;
      session.post('Profiler.takePreciseCoverage', (_error: unknown, coverage: object) => {
        steps = stepsIn(coverage as Coverage);
      });
      return steps;
    },
    close: () => session.disconnect(),
  };
}

function stepsIn({ result }: Coverage): number {
  let steps = 0;
  for (const { url, functions } of result) {
    if (!url.includes('/src/')) continue;
    for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  }
  return steps;
}
