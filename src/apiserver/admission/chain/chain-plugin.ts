import type { Deadline } from '../../../machinery/meta/deadline.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';
import type { AdmissionResult } from './outcome.ts';

/** A plugin as the chain runs it, compiled in or asking webhooks or policies: it says itself what became of the request. */
export interface ChainPlugin {
  /** Upstream's name, as the flags and the audit log spell it. */
  readonly name: string;
  readonly operations: readonly Operation[];
  /** Does it ask others? Then its time is counted, whether or not there was one to ask. */
  readonly asksOthers: boolean;
  /** Asked for round 0 and, if anybody wants it, for round 1. */
  readonly mutate?: RunMutation;
  /** The same, of a plugin that remembers something from one round to the next: it is opened once for a request. */
  readonly openMutation?: () => RunMutation;
  /** The resources for which `mutate` or `validate` has something to do; absent for all. */
  readonly mutatesOnly?: readonly GroupResource[] | undefined;
  readonly validatesOnly?: readonly GroupResource[] | undefined;
  readonly validate?: (request: AdmissionAttributes, limits: CallLimits) => Promise<AdmissionResult>;
}

export type RunMutation = (request: AdmissionAttributes, limits: CallLimits, round: 0 | 1) => Promise<MutationResult>;

export interface MutationResult extends AdmissionResult {
  /** The whole mutating chain shall run once more (rule REI-1). */
  readonly wantsReinvocation?: boolean;
}

/** The admission chain as the stages of request/ see it. */
export interface AdmissionChain {
  /** All mutating plugins, and once more if a webhook or policy asked for it. */
  readonly mutate: (request: AdmissionAttributes, limits: CallLimits) => Promise<AdmissionResult>;
  readonly validate: (request: AdmissionAttributes, limits: CallLimits) => Promise<AdmissionResult>;
}

/** How long webhooks may take. */
export interface CallLimits {
  /** None for CONNECT, where only timeoutSeconds bounds a call (rule FAIL-40). */
  readonly deadline: Deadline;
  /** Aborts when the client has gone. */
  readonly signal?: AbortSignal;
}
