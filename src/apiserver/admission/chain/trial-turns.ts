/** For trials of other orders. */
export interface TrialTurns {
  /**
   * The stored mutating webhooks that are asked, as `CONFIGURATION/WEBHOOK`, and the mutating policies, by name, in this order,
   * one that stands there twice twice. Policies come before webhooks all the same, and are all asked where none of them is named.
   * undefined: all, as upstream asks them.
   */
  readonly mutatingTurns?: (() => readonly string[] | undefined) | undefined;
}

/** The turn of a mutating policy: its name, which has no slash. */
export const isPolicyTurn = (turn: string): boolean => !turn.includes('/');
