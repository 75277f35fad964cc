/** One thing worth knowing about a request: what happened, where, what shows it, and what to do. */
export interface Finding {
  readonly rule: FindingRule;
  readonly severity: Severity;
  /** What happened, in a sentence without its full stop. */
  readonly title: string;
  readonly where: Where;
  readonly evidence: readonly Evidence[];
  /** What to do about it, in a sentence without its full stop. */
  readonly remedy: string;
}

/** `error`: the request failed for it. `warning`: it went well, and what came out is likely wrong. `note`: good to know. */
export type Severity = 'error' | 'warning' | 'note';

/** The rules, each a file of rules/ and a paragraph of docs/reference/findings.md; the most telling first. */
export const findingRules = [
  'refused-own-work',
  'refused-others-work',
  'stale-index',
  'duplicate-item',
  'missing-field',
  'invalid-field',
  'refused-by-object',
  'refused-by-plugin',
  'time-used-up',
  'skipped-too-early',
  'called-too-early',
  'called-again-in-vain',
  'replaced-list',
  'undone',
  'not-idempotent',
  'overwritten',
  'plugin-overrode',
  'default-came-back',
  'dropped',
  'unchecked',
  'near-timeout',
  'no-longer-last',
  'changed-nothing',
  'called-again',
  'slowest',
] as const;

export type FindingRule = (typeof findingRules)[number];

export interface Where {
  /** Whose doing it is, then the others that take part. */
  readonly actors: readonly Actor[];
  /** `spec.containers[name=late].env`: the fields as `kadmit explain --blame` names them. */
  readonly fields: readonly string[];
}

/** Something of the chain that decides or changes. */
export interface Actor {
  readonly type: 'webhook' | 'policy' | 'plugin';
  readonly name: string;
  /** Of a webhook. */
  readonly configuration?: string;
}

export interface Evidence {
  readonly text: string;
  /** The index of the decision in `admission` of the trace. */
  readonly decision?: number;
}
