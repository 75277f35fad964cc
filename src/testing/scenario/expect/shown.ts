import type { Trace } from '../../../explain/trace/trace.ts';
import type { Failure } from '../outcome.ts';
import type { WorldAnswer } from '../world.ts';

/** What a step showed: everything that expectations look at. */
export interface Shown {
  readonly answer: WorldAnswer;
  /** Undefined for a read, and on a server that keeps no traces. */
  readonly trace: Trace | undefined;
  /** What the writes of the steps before came to, the oldest first. */
  readonly earlier: readonly Trace[];
  /** The webhooks of the configurations of this scenario, for those that a request never came to. */
  readonly known: readonly KnownWebhook[];
  readonly clock: 'virtual' | 'real';
}

export interface KnownWebhook {
  readonly name: string;
  readonly configuration: string;
}

/** What came of looking: what did not hold, and what could not be looked at here. */
export interface Checked {
  readonly failures: readonly Failure[];
  readonly leftOut: readonly string[];
}

/** Was the request refused? Upstream's clients ask the same. */
export const isRefused = ({ code }: Pick<WorldAnswer, 'code'>): boolean => code >= 400;
