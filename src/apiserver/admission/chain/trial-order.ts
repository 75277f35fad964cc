export interface TrialOrder {
  /**
   * For trials: the mutating webhooks (`CONFIGURATION/WEBHOOK`) and policies to call, in this order, repeats included.
   * Policies still precede webhooks, and all are called if none is named. undefined: upstream's order.
   */
  readonly mutatingOrder?: (() => readonly string[] | undefined) | undefined;
}

/** A name without a slash is a mutating policy. */
export const isPolicyEntry = (turn: string): boolean => !turn.includes('/');
