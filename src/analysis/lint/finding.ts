import type { JsonObject } from '../../machinery/json/json.ts';
import type { Place } from '../../testing/scenario/format.ts';
import type { LintRule } from './rule-table.ts';

/** A fault of a configuration: place, harm, fix. */
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
  readonly place: Place;
}

/** `error`: writes fail or are never checked. `warning`: they may. `note`: good to know. */
export type LintSeverity = 'error' | 'warning' | 'note';

export const lintSeverities: readonly LintSeverity[] = ['error', 'warning', 'note'];
