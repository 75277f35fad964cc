import { checks } from './checks.ts';
import { lintSeverities } from './finding.ts';
import type { LintFinding } from './finding.ts';
import type { Ignores } from './ignores.ts';
import { fieldOf } from './model/lint-object.ts';
import type { LintObject } from './model/lint-object.ts';
import { createLintSet } from './model/lint-set.ts';
import type { LintSet } from './model/lint-set.ts';
import { findingOf } from './model/report.ts';
import type { Found } from './model/report.ts';
import { lintRules } from './rule-table.ts';

export interface LintResult {
  /** The gravest first. */
  readonly findings: readonly LintFinding[];
  /** How many a comment or the command line keeps quiet. */
  readonly ignored: number;
}

export interface LintOptions extends Pick<LintSet, 'isWhole' | 'now'> {
  readonly ignores: Ignores;
}

/** Looks for faults of configurations among these objects, which are looked at together. Pure; never throws. */
export function lint(objects: readonly LintObject[], { ignores, ...options }: LintOptions): LintResult {
  const set = createLintSet(objects, options);
  const all = withoutRepeats(lintRules.flatMap((rule) => checks[rule](set)));
  const loud = all.filter(({ rule, at, path }) => !ignores(rule, at.placesOf(path)));
  const findings = loud
    .map(findingOf)
    .toSorted((one, other) => lintSeverities.indexOf(one.severity) - lintSeverities.indexOf(other.severity));
  return { findings, ignored: all.length - loud.length };
}

/** What the API server says of a field is not said again by another rule. */
function withoutRepeats(found: readonly Found[]): readonly Found[] {
  const keyOf = ({ at, path }: Found): string => `${at.title} ${fieldOf(path)}`;
  const refused = new Set(found.filter(({ rule }) => rule === 'refused').map(keyOf));
  return found.filter((one) => one.rule === 'refused' || !refused.has(keyOf(one)));
}
