import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../../machinery/error-text.ts';
import type { Account } from './become-account.ts';
import type { Leading } from './lead-services.ts';
import type { RestartPolicy } from './restarts.ts';
import { runAgain } from './run-again.ts';
import { untilSignalled } from './until-signalled.ts';

interface Starts {
  readonly program: string;
  readonly policy: RestartPolicy;
  readonly become: Pick<Account, 'renew'> | undefined;
  readonly leading: Pick<Leading, 'tell'>;
  readonly say: (line: string) => void;
}

/**
 * Calls `run` for each start of a program, until its policy or a signal says that it is enough; each start has a token of
 * its own, and calls of its webhooks tell which one it is. Resolves with the exit code of its last end.
 */
export async function runStarts(
  run: () => Promise<number>,
  { program, policy, become, leading, say }: Starts,
): Promise<number> {
  const { stopped, settle } = untilSignalled();
  // A server that has gone must not end a program that is to be started again.
  const tried = (doing: Promise<unknown> | undefined): Promise<unknown> =>
    Promise.resolve(doing).catch((error: unknown) => say(errorText(error)));
  try {
    return await runAgain({
      policy,
      start: async (count) => {
        if (count > 1) await tried(become?.renew());
        if (count > 1) await tried(leading.tell(`${program}, start ${count}`));
        return run();
      },
      waits: async ({ exitCode, delayMs, count }) => {
        const next = delayMs === 0 ? 'follows' : `is in ${delayMs / 1000} s`;
        const what = `ended with exit code ${exitCode}; start ${count} ${next}`;
        say(`${program} ${what}`);
        await tried(leading.tell(`${program}, which ${what}`));
      },
      sleep: (ms) => sleep(ms, undefined, { signal: stopped }),
      now: () => performance.now(),
      stopped,
    });
  } finally {
    settle();
  }
}
