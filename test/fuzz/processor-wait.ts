import { readFileSync } from 'node:fs';

/** Milliseconds that the main threads of these processes waited for a processor; 0 where Linux does not report it. */
export function processorWaitMs(processes: readonly (number | undefined)[]): number {
  return processes.reduce<number>((sum, id) => sum + (id === undefined ? 0 : readWaitMs(id)), 0);
}

/** The second number of schedstat: nanoseconds on the run queue. */
function readWaitMs(id: number): number {
  try {
    return Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
