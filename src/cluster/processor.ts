import { setImmediate } from 'node:timers/promises';

/** What long computations need of the machine. */
export interface Processor {
  /** How long the process has used processors, in milliseconds. */
  readonly used: () => number;
  /** Lets everybody else have a turn. */
  readonly breathe: () => Promise<void>;
}

export const processor: Processor = {
  used: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  breathe: () => setImmediate(),
};
