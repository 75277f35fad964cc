import type { JsonObject } from '../../machinery/json/json.ts';
import type { Place } from '../../testing/scenario/format.ts';
import type { LintRule } from './rule-table.ts';

/** One fault of a configuration: where it stands, why it hurts, what to write instead. */
export interface LintFinding {
  readonly rule: LintRule;
  readonly severity: LintSeverity;
  /** What is wrong, in a sentence without its full stop. */
  readonly title: string;
  /** The incident that it causes. */
  readonly harm: string;
  readonly remedy: string;
  /** Fields to write in place of those that are there, in the object or, under `webhooks`, in the entry of this name; {}: none. */
  readonly patch: JsonObject;
  /** `ValidatingWebhookConfiguration gate`. */
  readonly object: string;
  /** `webhooks[0].failurePolicy`. */
  readonly field: string;
  readonly place: Place;
}

/** `error`: writes will fail or never be looked at. `warning`: they will on a bad day. `note`: good to know. */
export type LintSeverity = 'error' | 'warning' | 'note';

export const lintSeverities: readonly LintSeverity[] = ['error', 'warning', 'note'];
