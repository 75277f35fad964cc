import type { JsonObject } from '../../../machinery/json/json.ts';
import type { LintFinding } from '../finding.ts';
import { fieldOf, type LintObject, type ValuePath } from './lint-object.ts';
import type { LintHook, LintSet } from './lint-set.ts';

/** A finding without its place. */
export interface UnplacedFinding extends Pick<LintFinding, 'rule' | 'severity' | 'title' | 'harm' | 'remedy'> {
  readonly at: LintObject;
  readonly path: ValuePath;
  readonly patch?: JsonObject;
}

export type LintCheck = (set: LintSet) => readonly UnplacedFinding[];

export const findingOf = ({ at, path, patch = {}, ...found }: UnplacedFinding): LintFinding => ({
  ...found,
  patch,
  object: at.title,
  field: fieldOf(path),
  place: at.placesOf(path).at(-1) ?? { file: '', line: 1, column: 1 },
});

/** `webhook pods.example.com`. */
export const hookName = ({ webhook }: LintHook): string => `webhook ${webhook.name || '(without a name)'}`;

/** The place and patch of a field of a webhook. */
export const inHook = (
  hook: LintHook,
  field: string,
  fields: JsonObject = {},
): Pick<UnplacedFinding, 'at' | 'path' | 'patch'> => ({
  at: hook.at,
  path: [...hook.path, field],
  patch: Object.keys(fields).length === 0 ? {} : { webhooks: [{ name: hook.webhook.name, ...fields }] },
});
