import type { Deadline } from '../../../machinery/meta/deadline.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';
import type { AdmissionResult } from './outcome.ts';

/** A plugin as the chain runs it: compiled in, or calling webhooks or policies. */
export interface ChainPlugin {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** The time of such a plugin is measured, even if nothing was called. */
  readonly callsOut: boolean;
  /** Called for round 0 and, after a reinvocation, for round 1. */
  readonly mutate?: RunMutation;
  readonly createMutation?: () => RunMutation;
  /** absent: all resources. */
  readonly mutatesOnly?: readonly GroupResource[] | undefined;
  readonly validatesOnly?: readonly GroupResource[] | undefined;
  readonly validate?: (request: AdmissionAttributes, limits: CallLimits) => Promise<AdmissionResult>;
}

export type RunMutation = (request: AdmissionAttributes, limits: CallLimits, round: 0 | 1) => Promise<MutationResult>;

export interface MutationResult extends AdmissionResult {
  /** The whole mutating chain runs once more (rule REI-1). */
  readonly wantsReinvocation?: boolean;
}

export interface AdmissionChain {
  /** Runs all mutating plugins, and once more if a webhook or policy requests it. */
  readonly mutate: (request: AdmissionAttributes, limits: CallLimits) => Promise<AdmissionResult>;
  readonly validate: (request: AdmissionAttributes, limits: CallLimits) => Promise<AdmissionResult>;
}

export interface CallLimits {
  /** None for CONNECT: only timeoutSeconds bounds a call (rule FAIL-40). */
  readonly deadline: Deadline;
  readonly signal?: () => AbortSignal;
}
