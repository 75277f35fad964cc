import { isReview } from '../../../machinery/meta/hidden-reviews.ts';
import type { MatchRule } from '../../../apiserver/admission/matching/match-selectors.ts';
import type { SelectorReading } from '../../../machinery/selectors/label-selector.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import { findContradiction } from '../model/rule-subsumption.ts';
import type { LintObject, ValuePath } from '../model/lint-object.ts';
import type { LintSet } from '../model/lint-set.ts';
import type { LintCheck, UnplacedFinding } from '../finding.ts';
import { isOwnGroup, ruleMatchesRow, operationsOn, matchedRequests, type ServedRow } from '../model/served-rows.ts';

interface RuleList {
  readonly at: LintObject;
  readonly owner: string;
  readonly path: ValuePath;
  readonly rules: readonly MatchRule[];
}

const ruleLists = ({ hooks, policies }: LintSet): readonly RuleList[] => [
  ...hooks.map(({ at, webhook, path }) => ({
    at,
    owner: `webhook ${webhook.name}`,
    path: [...path, 'rules'],
    rules: webhook.rules,
  })),
  ...policies.map(({ at, policy }) => ({
    at,
    owner: `policy ${policy.name}`,
    path: ['spec', 'matchConstraints', 'resourceRules'],
    rules: policy.match.resourceRules,
  })),
];

/** A rule, or a resource in it, that no request matches. The server's validation refuses empty lists and names. */
export const deadRule: LintCheck = (set) =>
  ruleLists(set).flatMap(({ at, owner, path, rules }) =>
    rules.flatMap((rule, index) =>
      isComplete(rule)
        ? findDeadParts(rule, set).map((why) => deadRuleFinding({ at, path: [...path, index] }, owner, why))
        : [],
    ),
  );

const isComplete = ({ operations, apiGroups, apiVersions, resources }: MatchRule): boolean =>
  [operations, apiGroups, apiVersions, resources].every((list) => list.length > 0) &&
  ![...operations, ...apiVersions, ...resources].includes('');

const deadRuleFinding = (
  where: Pick<UnplacedFinding, 'at' | 'path'>,
  owner: string,
  { why, isAll, known }: DeadPart,
): UnplacedFinding => ({
  ...where,
  rule: 'dead-rule',
  severity: known === 'all' ? (isAll ? 'error' : 'warning') : known === 'its definition' ? 'warning' : 'note',
  title: `${isAll ? `no request can match this rule of ${owner}` : `part of this rule of ${owner} matches nothing`}: ${why}`,
  harm: `the intended requests are admitted unchecked, and no error is reported`,
  remedy: 'use the plural name of a served resource, with its group, version and one of its operations',
});

interface DeadPart {
  readonly why: string;
  readonly isAll: boolean;
  /** How much is known of these groups. */
  readonly known: 'all' | 'its definition' | 'some';
}

function findDeadParts(rule: MatchRule, set: LintSet): readonly DeadPart[] {
  const dead = rule.resources.filter((pattern) => isDead({ ...rule, resources: [pattern] }, set));
  if (dead.length === 0) return [];
  const isAllKnown = set.isWhole || rule.apiGroups.some((group) => group === '*' || isOwnGroup(group));
  const isDefined = dead.every((pattern) => isMistaken(pattern, rule, set));
  const known = isAllKnown ? 'all' : isDefined ? 'its definition' : 'some';
  const reasons = new Set(dead.map((pattern) => deadReason(pattern, rule, set)));
  return [{ why: [...reasons].join('; '), isAll: dead.length === rule.resources.length, known }];
}

/** Whether the rule names a known resource by its kind, or in a version that it does not have. */
function isMistaken(pattern: string, { apiGroups }: MatchRule, { rows }: LintSet): boolean {
  const [resource = '', subresource = ''] = pattern.split('/');
  return rows.some(
    (row) =>
      apiGroups.includes(row.group) &&
      row.subresource === subresource &&
      (row.resource === resource || row.kind.toLowerCase() === resource.toLowerCase()),
  );
}

const isDead = (rule: MatchRule, set: LintSet): boolean => matchedRequests([rule], set).length === 0;

function deadReason(pattern: string, rule: MatchRule, { rows }: LintSet): string {
  const [resource = '', subresource = ''] = pattern.split('/');
  const inGroups = rows.filter(({ group }) => rule.apiGroups.includes('*') || rule.apiGroups.includes(group));
  const where = rule.apiGroups.map((group) => (group === '' ? 'the core group' : group)).join(', ');
  if (inGroups.length === 0) return `${where} has no served resource`;
  const named = inGroups.filter((row) => resource === '*' || row.resource === resource);
  if (named.length === 0)
    return `${where} has no resource ${resource}${otherGroupHint(resource, rows) ?? resourceHint(resource, inGroups)}`;
  const subs = named.filter((row) => subresource === '*' || row.subresource === subresource);
  if (subs.length === 0) return `${resource} has no subresource ${subresource}`;
  const versions = subs.filter(({ version }) => rule.apiVersions.includes('*') || rule.apiVersions.includes(version));
  if (versions.length === 0)
    return `${pattern} is not served as ${rule.apiVersions.join(', ')}, only as ${[...new Set(subs.map(({ version }) => version))].join(', ')}`;
  const scoped = versions.filter((row) =>
    operationsOn(row).some((operation) =>
      ruleMatchesRow({ ...rule, operations: ['*'], resources: [pattern] }, row, operation),
    ),
  );
  if (scoped.length === 0) return hiddenReason(versions) ?? `${pattern} is not of scope ${rule.scope}`;
  return `${pattern} does not support ${rule.operations.join(', ')}, only ${[...new Set(scoped.flatMap(operationsOn))].join(', ')}`;
}

function hiddenReason(rows: readonly ServedRow[]): string | undefined {
  if (rows.every(({ group }) => group === 'admissionregistration.k8s.io')) {
    return 'webhooks are never called for admission configurations';
  }
  return rows.every(isReview) ? 'policies and, since 1.37, webhooks do not process reviews' : undefined;
}

function otherGroupHint(resource: string, rows: readonly ServedRow[]): string | undefined {
  const row = rows.find((one) => one.resource === resource);
  return row && `; it is in ${row.group === '' ? 'the core group ""' : row.group}`;
}

function resourceHint(resource: string, rows: readonly ServedRow[]): string {
  const lower = resource.toLowerCase();
  const row = rows.find(({ kind, resource: plural }) => kind.toLowerCase() === lower || plural === lower);
  return row ? `; did you mean ${row.resource}?` : suggestion(resource, [...new Set(rows.map((one) => one.resource))]);
}

/** A selector that no labels match. */
export const deadSelector: LintCheck = (set) => [
  ...set.hooks.flatMap(({ at, webhook, path }) =>
    (['namespaceSelector', 'objectSelector'] as const).flatMap((field) =>
      selectorFindings({ at, path: [...path, field] }, `webhook ${webhook.name}`, webhook[field]),
    ),
  ),
  ...set.policies.flatMap(({ at, policy }) =>
    (['namespaceSelector', 'objectSelector'] as const).flatMap((field) =>
      selectorFindings({ at, path: ['spec', 'matchConstraints', field] }, `policy ${policy.name}`, policy.match[field]),
    ),
  ),
];

function selectorFindings(
  where: Pick<UnplacedFinding, 'at' | 'path'>,
  owner: string,
  reading: SelectorReading,
): readonly UnplacedFinding[] {
  // In files, invalid selectors are validation errors.
  if (reading.outcome === 'unparsable' && !where.at.isStored) return [];
  const why = reading.outcome === 'unparsable' ? reading.error : findContradiction(reading.selector.requirements);
  if (why === undefined) return [];
  const field = String(where.path.at(-1));
  return [
    {
      ...where,
      rule: 'dead-selector',
      severity: 'error',
      title: `${field} of ${owner} ${reading.outcome === 'unparsable' ? `cannot be read: ${why}` : `selects nothing: ${why}`}`,
      harm: 'the intended requests are admitted unchecked, and no error is reported',
      remedy: 'all requirements of a selector must match at once: remove one, or split the webhook in two',
    },
  ];
}
