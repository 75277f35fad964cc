import type { JsonObject } from '../../machinery/json/json.ts';
import type { SourceLocation } from '../../testing/scenario/format.ts';

/** A fault of a configuration: place, consequence, remedy. */
export interface LintFinding {
  readonly rule: LintRule;
  readonly severity: LintSeverity;
  /** What is wrong, without a full stop. */
  readonly title: string;
  /** The incident it causes. */
  readonly harm: string;
  readonly remedy: string;
  /** Fields to replace, in the object or in the named entry of `webhooks`; {}: none. */
  readonly patch: JsonObject;
  /** `ValidatingWebhookConfiguration gate`. */
  readonly object: string;
  /** `webhooks[0].failurePolicy`. */
  readonly field: string;
  readonly place: SourceLocation;
}

/** `error`: writes fail or are never checked. `warning`: they may. `note`: good to know. */
export type LintSeverity = 'error' | 'warning' | 'note';

export const lintSeverities: readonly LintSeverity[] = ['error', 'warning', 'note'];

/** Most severe first. docs/reference/lint.md has a paragraph for each. */
export const lintRules = [
  'refused',
  'guards-itself',
  'guards-each-other',
  'guards-nodes',
  'guards-kube-system',
  'wildcard-fail',
  'slow-leases',
  'gone-version',
  'review-versions',
  'dead-rule',
  'dead-selector',
  'unexpected-subresources',
  'version-bypass',
  'condition-constant',
  'condition-fails',
  'absent-name',
  'namespace-object',
  'time-budget',
  'slow-to-fail-open',
  'ca-bundle',
  'server-certificate',
  'no-service',
  'no-endpoints',
  'network-blocked',
  'called-too-early',
  'again-with-side-effects',
  'same-name',
  'without-binding',
  'without-policy',
  'without-params',
] as const;

export type LintRule = (typeof lintRules)[number];
