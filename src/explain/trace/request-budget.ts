/** The longest that webhooks may hold up requests of one kind, seconds. */
export interface RequestBudget {
  /** `CREATE pods`; others of the same webhooks follow. */
  readonly requests: readonly string[];
  /** The mutating calls in order, those of the second round after the others. */
  readonly calls: readonly BudgetedCall[];
  /** One after the other. */
  readonly mutating: number;
  readonly secondRound: number;
  /** All at the same time: the slowest. */
  readonly validating: number;
  readonly slowestValidator: string;
  readonly most: number;
  /** The smaller one of what the server and what the client gives. */
  readonly given: number;
}

export interface BudgetedCall {
  readonly webhook: string;
  readonly configuration: string;
  readonly seconds: number;
  readonly round: 0 | 1;
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** Seconds that are left when its turn comes and all before it took all they may; 0: it is not called at all. */
  readonly left: number;
}

/** What the page is told of a server: the budgets of all kinds of requests that webhooks take, the worst first. */
export interface BudgetsDocument {
  readonly budgets: readonly RequestBudget[];
}
