import { outputFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagsOf } from '../../../adapters/config/flags/flags.ts';
import { readGoDuration } from '../../../machinery/go/go-duration.ts';

export interface BudgetOptions {
  readonly kubeconfig: string;
  readonly output: 'text' | 'json' | 'yaml';
  /** Seconds; Infinity: the client waits as long as the server. */
  readonly clientTimeout: number;
  readonly resource: string;
}

const clientTimeout: Flag<number> = {
  name: 'client-timeout',
  argument: 'DURATION',
  help: 'how long the client waits (kubelet and leader election: 10s); the server gives 34s',
  fallback: Number.POSITIVE_INFINITY,
  read: (texts) => {
    const milliseconds = readGoDuration(texts.at(-1) ?? '');
    if (milliseconds === undefined || milliseconds <= 0)
      return { outcome: 'wrong', problem: 'is no duration: give one such as 10s' };
    return { outcome: 'read', value: milliseconds / 1000 };
  },
};

/** The flags of `kadmit budget`, in the order of its help. */
export const budgetFlags: FlagsOf<BudgetOptions> = {
  kubeconfig: textFlag('kubeconfig', 'FILE', 'add up what this server holds, beside the files'),
  clientTimeout,
  resource: textFlag('resource', 'NAME', 'only requests for this resource: pods, deployments.apps, pods/status'),
  output: outputFlag,
};
