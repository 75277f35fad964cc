/** The longest delay by webhooks for one kind of request, in seconds. */
export interface RequestBudget {
  /** `CREATE pods`, then others with the same webhooks. */
  readonly requests: readonly string[];
  /** Mutating calls in order, those of the second round last. */
  readonly calls: readonly BudgetedCall[];
  /** In sequence. */
  readonly mutating: number;
  /** Webhooks with reinvocationPolicy IfNeeded, again. */
  readonly secondRound: number;
  /** In parallel: the slowest. */
  readonly validating: number;
  readonly slowestValidator: string;
  readonly worstCase: number;
  /** The smaller deadline of server and client. */
  readonly limit: number;
}

export interface BudgetedCall {
  readonly webhook: string;
  readonly configuration: string;
  readonly seconds: number;
  readonly round: 0 | 1;
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** Seconds left after all earlier calls took their maximum; 0: it is not called. */
  readonly left: number;
}

/** The budgets of all kinds of requests with webhooks, the longest first. */
export interface BudgetsDocument {
  readonly budgets: readonly RequestBudget[];
}
