import { type Candidate, runForElection } from './leader-election.ts';
import type { ControllersHandle } from './start-controllers.ts';

interface Led extends Omit<Candidate, 'begin' | 'end'> {
  readonly start: () => ControllersHandle;
}

/**
 * Runs `start` while this process is the leader. Idle after the first attempt to get the Lease while another process
 * leads.
 */
export function runWithLeaderElection({ start, ...candidate }: Led): ControllersHandle {
  let running: ControllersHandle | undefined;
  let isAsked = false;
  const candidacy = runForElection({
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
    busyControllers: () => running?.busyControllers() ?? [],
    idle: async () => {
      await asked;
      await running?.idle();
    },
    close: candidacy.close,
  };
}
