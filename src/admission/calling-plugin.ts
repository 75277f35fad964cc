import type { AdmissionAttributes, Operation } from './attributes.ts';
import type { CallLimits } from './chain.ts';
import type { AdmissionResult } from './outcome.ts';

/** A plugin that asks others, webhooks or policies, and says itself what became of each. */
export interface CallingPlugin {
  readonly type: 'calling';
  /** Upstream's name, as the flags and the audit log spell it. */
  readonly name: string;
  readonly operations: readonly Operation[];
  /** Opens one request: the answer is asked for round 0 and, if anybody wants it, for round 1. */
  readonly openMutation?: () => RunMutation;
  readonly validate?: (request: AdmissionAttributes, limits: CallLimits) => Promise<AdmissionResult>;
}

export type RunMutation = (request: AdmissionAttributes, limits: CallLimits, round: 0 | 1) => Promise<MutationResult>;

export interface MutationResult {
  readonly result: AdmissionResult;
  /** The whole mutating chain shall run once more (rule REI-1). */
  readonly wantsReinvocation: boolean;
}
