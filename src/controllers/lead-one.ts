import { type Candidate, standForElection } from './leader-election.ts';
import type { Running } from './start-controllers.ts';

interface Led extends Omit<Candidate, 'begin' | 'end'> {
  readonly start: () => Running;
}

/**
 * Runs `start` while this process is the leader. Idle after the first attempt to get the Lease while another process
 * leads.
 */
export function leadOne({ start, ...candidate }: Led): Running {
  let running: Running | undefined;
  let isAsked = false;
  const candidacy = standForElection({
    ...candidate,
    begin: () => (running = start()),
    end: async () => {
      await running?.close();
      running = undefined;
    },
  });
  const asked = candidacy.asked.then(() => (isAsked = true));
  return {
    isIdle: () => isAsked && (running?.isIdle() ?? true),
    restless: () => running?.restless() ?? [],
    idle: async () => {
      await asked;
      await running?.idle();
    },
    close: candidacy.close,
  };
}
