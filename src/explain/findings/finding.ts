import type { TracedDecision } from '../trace/trace.ts';

export interface Finding {
  readonly rule: FindingRule;
  readonly severity: Severity;
  /** A sentence without its full stop. */
  readonly title: string;
  readonly where: Where;
  readonly evidence: readonly Evidence[];
  /** A sentence without its full stop. */
  readonly remedy: string;
}

/** `error`: the request failed. `warning`: the result is likely wrong. `note`: for information. */
export type Severity = 'error' | 'warning' | 'note';

/** In the order of display. docs/reference/findings.md has a paragraph for each. */
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
  'overwrote-client',
  'changed-nothing',
  'called-again',
  'slowest',
] as const;

export type FindingRule = (typeof findingRules)[number];

export interface Where {
  /** The cause first. */
  readonly actors: readonly Actor[];
  /** `spec.containers[name=late].env`, as `kadmit explain --blame` prints them. */
  readonly fields: readonly string[];
}

export interface Actor {
  readonly type: 'webhook' | 'policy' | 'plugin';
  readonly name: string;
  /** Of a webhook. */
  readonly configuration?: string;
}

export interface Evidence {
  readonly text: string;
  /** The index in `admission` of the trace. */
  readonly decision?: number;
}

export const actorOf = (decision: TracedDecision): Actor => ({
  type: decision.type,
  name: decision.name,
  ...(decision.type === 'webhook' ? { configuration: decision.configuration } : {}),
});

export const isSameActor = (one: Actor, other: Actor): boolean =>
  one.type === other.type && one.name === other.name && one.configuration === other.configuration;

/** `proxy.example.com (sidecars)`, `policy team-labels`, `plugin LimitRanger`. */
export const actorText = ({ type, name, configuration }: Actor): string =>
  type === 'webhook' ? `${name} (${configuration ?? ''})` : `${type} ${name}`;
