/** One metric with all its series, in the form in which it is printed. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly samples: () => readonly Sample[];
}

export interface Sample {
  /** `_bucket`, `_sum`, `_count` or nothing. */
  readonly suffix: '' | '_bucket' | '_sum' | '_count';
  /** In the order in which they are printed. */
  readonly labels: Labels;
  readonly value: number;
}

export type Labels = Readonly<Record<string, string>>;
