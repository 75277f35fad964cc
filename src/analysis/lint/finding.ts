import type { JsonObject } from '../../machinery/json/json.ts';
import type { SourceLocation } from '../../testing/scenario/format.ts';
import { fieldText, type LintObject, type ValuePath } from './model/lint-object.ts';
import type { LintHook, LintSet } from './model/lint-set.ts';

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

/** Most severe first. docs/reference/lint.md has a section for each. */
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

/** A finding without its place. */
export interface UnplacedFinding extends Pick<LintFinding, 'rule' | 'severity' | 'title' | 'harm' | 'remedy'> {
  readonly at: LintObject;
  readonly path: ValuePath;
  readonly patch?: JsonObject;
}

export type LintCheck = (set: LintSet) => readonly UnplacedFinding[];

export const placeFinding = ({ at, path, patch = {}, ...found }: UnplacedFinding): LintFinding => ({
  ...found,
  patch,
  object: at.title,
  field: fieldText(path),
  place: at.placesOf(path).at(-1) ?? { file: '', line: 1, column: 1 },
});

/** `webhook pods.example.com`. */
export const webhookTitle = ({ webhook }: LintHook): string => `webhook ${webhook.name || '(without a name)'}`;

/** The place and patch of a field of a webhook. */
export const webhookField = (
  hook: LintHook,
  field: string,
  fields: JsonObject = {},
): Pick<UnplacedFinding, 'at' | 'path' | 'patch'> => ({
  at: hook.at,
  path: [...hook.path, field],
  patch: Object.keys(fields).length === 0 ? {} : { webhooks: [{ name: hook.webhook.name, ...fields }] },
});
