export interface TrialTurns {
  /**
   * For trials: the mutating webhooks (`CONFIGURATION/WEBHOOK`) and policies to call, in this order, repeats included.
   * Policies still precede webhooks, and all are called if none is named. undefined: upstream's order.
   */
  readonly mutatingTurns?: (() => readonly string[] | undefined) | undefined;
}

/** A name without a slash is a mutating policy. */
export const isPolicyTurn = (turn: string): boolean => !turn.includes('/');
