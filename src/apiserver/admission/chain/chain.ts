import type { Deadline } from '../../../machinery/meta/deadline.ts';
import type { AdmissionAttributes } from './attributes.ts';
import type { AdmissionResult } from './outcome.ts';

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
