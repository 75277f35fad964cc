import type { Trace } from '../../../explain/trace/trace.ts';
import type { Failure } from '../outcome.ts';
import type { WorldAnswer } from '../world.ts';

/** Everything that expectations check. */
export interface StepObservation {
  readonly answer: WorldAnswer;
  /** undefined for reads and on servers without traces. */
  readonly trace: Trace | undefined;
  /** Traces of the writes of earlier steps, oldest first. */
  readonly earlier: readonly Trace[];
  /** Webhooks of the scenario's configurations, for those without a decision. */
  readonly known: readonly KnownWebhook[];
  readonly clock: 'virtual' | 'real';
}

export interface KnownWebhook {
  readonly name: string;
  readonly configuration: string;
}

/** `leftOut`: expectations that cannot be checked on this server. */
export interface CheckResult {
  readonly failures: readonly Failure[];
  readonly leftOut: readonly string[];
}

export const isRefused = ({ code }: Pick<WorldAnswer, 'code'>): boolean => code >= 400;
