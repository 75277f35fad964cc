import type { SourceLocation } from '../../testing/scenario/format.ts';
import {
  type LintFinding,
  type LintRule,
  lintRules,
  lintSeverities,
  placeFinding,
  type LintCheck,
  type UnplacedFinding,
} from './finding.ts';
import { fieldText, type LintObject } from './model/lint-object.ts';
import { createLintSet, type LintSet } from './model/lint-set.ts';
import { absentName, conditionConstant, conditionFails, namespaceObject } from './rules/conditions.ts';
import { withoutBinding, withoutParams, withoutPolicy } from './rules/bindings.ts';
import { deadRule, deadSelector } from './rules/unreachable-rules.ts';
import { guardsEachOther, guardsItself, guardsKubeSystem, guardsNodes, slowLeases } from './rules/deadlocks.ts';
import { goneVersion, refused, reviewVersions, sameName } from './rules/declared.ts';
import {
  againWithSideEffects,
  hookCalledTooEarly,
  unexpectedSubresources,
  versionBypass,
  wildcardFail,
} from './rules/scope.ts';
import { networkBlocked, noEndpoints, noService } from './rules/network.ts';
import { slowToFailOpen, exceededTimeBudget } from './rules/time.ts';

export interface LintResult {
  /** Most severe first. */
  readonly findings: readonly LintFinding[];
  /** Ignored by comments or flags. */
  readonly ignored: number;
}

interface LintOptions extends Pick<LintSet, 'isWhole' | 'now'> {
  readonly ignores: IsIgnored;
  /** `certificateChecks`; undefined where there is no X.509: these rules find nothing. */
  readonly certificates: CertificateChecks | undefined;
}

/** Rules that verify certificates. */
export type CertificateChecks = Readonly<Record<'ca-bundle' | 'server-certificate', LintCheck>>;

/** Checks these objects together. Never throws. */
export function lint(objects: readonly LintObject[], { ignores, certificates, ...options }: LintOptions): LintResult {
  const set = createLintSet(objects, options);
  const checks: Readonly<Record<LintRule, LintCheck>> = { ...plainChecks, ...(certificates ?? noCertificates) };
  const all = dropRepeated(lintRules.flatMap((rule) => checks[rule](set)));
  const reported = all.filter(({ rule, at, path }) => !ignores(rule, at.placesOf(path)));
  const findings = reported
    .map(placeFinding)
    .toSorted((one, other) => lintSeverities.indexOf(one.severity) - lintSeverities.indexOf(other.severity));
  return { findings, ignored: all.length - reported.length };
}

/** Drops findings that repeat a validation error of the same field. */
function dropRepeated(found: readonly UnplacedFinding[]): readonly UnplacedFinding[] {
  const keyOf = ({ at, path }: UnplacedFinding): string => `${at.title} ${fieldText(path)}`;
  const refused = new Set(found.filter(({ rule }) => rule === 'refused').map(keyOf));
  return found.filter((one) => one.rule === 'refused' || !refused.has(keyOf(one)));
}

const noCertificates: CertificateChecks = { 'ca-bundle': () => [], 'server-certificate': () => [] };

const plainChecks: Readonly<Record<Exclude<LintRule, keyof CertificateChecks>, LintCheck>> = {
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
  'time-budget': exceededTimeBudget,
  'slow-to-fail-open': slowToFailOpen,
  'no-service': noService,
  'no-endpoints': noEndpoints,
  'network-blocked': networkBlocked,
  'called-too-early': hookCalledTooEarly,
  'again-with-side-effects': againWithSideEffects,
  'same-name': sameName,
  'without-binding': withoutBinding,
  'without-policy': withoutPolicy,
  'without-params': withoutParams,
};

type IsIgnored = (rule: LintRule, places: readonly SourceLocation[]) => boolean;

const comment = /#\s*kadmit-ignore:\s*([\w*-]+(?:\s*,\s*[\w*-]+)*)/;

/**
 * Reads `# kadmit-ignore: rule, other-rule` (or `*`): after a field it applies to that field, on a line of its own to
 * what begins on the next line, before a document to the whole document.
 */
export function readIgnoreComments(texts: ReadonlyMap<string, string>): IsIgnored {
  const byFile = new Map([...texts].map(([file, text]) => [file, rulesByLine(text)]));
  return (rule, places) =>
    places.some(({ file, line }) => {
      const rules = byFile.get(file)?.get(line) ?? [];
      return rules.includes(rule) || rules.includes('*');
    });
}

function rulesByLine(text: string): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  if (!text.includes('kadmit-ignore')) return found;
  let waiting: readonly string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const rules =
      comment
        .exec(line)?.[1]
        ?.split(',')
        .map((one) => one.trim()) ?? [];
    const isBare = /^\s*(#|$|---)/.test(line);
    if (isBare) {
      waiting = [...waiting, ...rules];
    } else {
      if (waiting.length + rules.length > 0) found.set(index + 1, [...waiting, ...rules]);
      waiting = [];
    }
  }
  return found;
}
