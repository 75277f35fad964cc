import { lintSeverities } from './finding.ts';
import type { LintFinding } from './finding.ts';
import type { Ignores } from './ignores.ts';
import { fieldOf } from './model/lint-object.ts';
import type { LintObject } from './model/lint-object.ts';
import { createLintSet } from './model/lint-set.ts';
import type { LintSet } from './model/lint-set.ts';
import { findingOf } from './model/report.ts';
import type { Check, Found } from './model/report.ts';
import { lintRules } from './rule-table.ts';
import type { LintRule } from './rule-table.ts';
import { absentName } from './rules/absent-name.ts';
import { withoutBinding, withoutParams, withoutPolicy } from './rules/bindings.ts';
import { caBundle, serverCertificate } from './rules/certificates.ts';
import { conditionConstant, conditionFails, namespaceObject } from './rules/conditions.ts';
import { deadRule, deadSelector } from './rules/dead.ts';
import { guardsEachOther, guardsItself, guardsKubeSystem, guardsNodes, slowLeases } from './rules/deadlocks.ts';
import { goneVersion, reviewVersions, sameName } from './rules/declared.ts';
import { againWithSideEffects, calledTooEarly } from './rules/mutators.ts';
import { networkBlocked } from './rules/network.ts';
import { refused } from './rules/refused.ts';
import { unexpectedSubresources, versionBypass, wildcardFail } from './rules/scope.ts';
import { noEndpoints, noService } from './rules/services.ts';
import { slowToFailOpen, timeBudget } from './rules/time.ts';

export interface LintResult {
  /** Most severe first. */
  readonly findings: readonly LintFinding[];
  /** Ignored by comments or flags. */
  readonly ignored: number;
}

export interface LintOptions extends Pick<LintSet, 'isWhole' | 'now'> {
  readonly ignores: Ignores;
}

/** Checks these objects together. Never throws. */
export function lint(objects: readonly LintObject[], { ignores, ...options }: LintOptions): LintResult {
  const set = createLintSet(objects, options);
  const all = withoutRepeats(lintRules.flatMap((rule) => checks[rule](set)));
  const loud = all.filter(({ rule, at, path }) => !ignores(rule, at.placesOf(path)));
  const findings = loud
    .map(findingOf)
    .toSorted((one, other) => lintSeverities.indexOf(one.severity) - lintSeverities.indexOf(other.severity));
  return { findings, ignored: all.length - loud.length };
}

/** Drops findings that repeat a validation error of the same field. */
function withoutRepeats(found: readonly Found[]): readonly Found[] {
  const keyOf = ({ at, path }: Found): string => `${at.title} ${fieldOf(path)}`;
  const refused = new Set(found.filter(({ rule }) => rule === 'refused').map(keyOf));
  return found.filter((one) => one.rule === 'refused' || !refused.has(keyOf(one)));
}

const checks: Readonly<Record<LintRule, Check>> = {
  refused,
  'guards-itself': guardsItself,
  'guards-each-other': guardsEachOther,
  'guards-nodes': guardsNodes,
  'guards-kube-system': guardsKubeSystem,
  'wildcard-fail': wildcardFail,
  'slow-leases': slowLeases,
  'gone-version': goneVersion,
  'review-versions': reviewVersions,
  'dead-rule': deadRule,
  'dead-selector': deadSelector,
  'unexpected-subresources': unexpectedSubresources,
  'version-bypass': versionBypass,
  'condition-constant': conditionConstant,
  'condition-fails': conditionFails,
  'absent-name': absentName,
  'namespace-object': namespaceObject,
  'time-budget': timeBudget,
  'slow-to-fail-open': slowToFailOpen,
  'ca-bundle': caBundle,
  'server-certificate': serverCertificate,
  'no-service': noService,
  'no-endpoints': noEndpoints,
  'network-blocked': networkBlocked,
  'called-too-early': calledTooEarly,
  'again-with-side-effects': againWithSideEffects,
  'same-name': sameName,
  'without-binding': withoutBinding,
  'without-policy': withoutPolicy,
  'without-params': withoutParams,
};
