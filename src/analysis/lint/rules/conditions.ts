import type { Operation } from '../../../apiserver/admission/chain/attributes.ts';
import { childrenOf, type Expr } from '../../../cel/index.ts';
import { type LintExpression, collectExpressions, isFalse, isReached, evaluateFor } from '../model/deciders.ts';
import { type Missing, evaluateTruth } from '../model/expression-truth.ts';
import type { LintSet } from '../model/lint-set.ts';
import type { LintCheck, UnplacedFinding } from '../finding.ts';
import { unnamedRequest, type UnnamedRequest, requestFacts } from '../model/request-facts.ts';
import { resourceName, type MatchedRequest } from '../model/served-rows.ts';

/** A condition with the same result for every matched request. */
export const conditionConstant: LintCheck = (set) =>
  collectExpressions(set)
    .filter(({ role, seen }) => role === 'condition' && seen.length > 0)
    .flatMap((decider) => {
      const values = new Set(decider.seen.map((one) => constantResult(decider, one)));
      const [only] = values;
      if (values.size !== 1 || only === undefined) return [];
      const { at, path, what, owner } = decider;
      const unnamedFinding: UnplacedFinding = {
        at,
        path,
        rule: 'condition-constant',
        severity: only ? 'note' : 'error',
        title: `${what} is ${String(only)} for every request that its rules match`,
        harm: only ? 'it excludes no request' : `the ${owner} is never ${owner === 'webhook' ? 'called' : 'evaluated'}`,
        remedy: only
          ? 'remove it, or write the intended condition'
          : 'compare the condition with the operations and resources of the rules',
      };
      return [unnamedFinding];
    });

function constantResult(decider: LintExpression, seen: MatchedRequest): boolean | undefined {
  const truth = evaluateFor(decider, seen);
  return truth.outcome === 'value' && typeof truth.value === 'boolean' ? truth.value : undefined;
}

/** An expression that fails for all requests of a kind: it reads a field of null, or an absent field. */
export const conditionFails: LintCheck = (set) =>
  collectExpressions(set).flatMap((decider) =>
    findFailures(decider, set)
      .filter(({ missing }) => missing.name !== 'namespaceObject')
      .map((failure) => failureFinding(decider, failure)),
  );

/** Requests for which an expression fails with the same cause. */
interface ExpressionFailure {
  readonly missing: Missing;
  readonly seen: readonly MatchedRequest[];
}

function findFailures(decider: LintExpression, set: LintSet): readonly ExpressionFailure[] {
  const failures = new Map<string, { missing: Missing; seen: MatchedRequest[] }>();
  for (const one of decider.seen) {
    const truth = evaluateFor(decider, one);
    if (truth.outcome !== 'error' || !isReached(decider, one, set)) continue;
    const known = failures.get(truth.missing.name);
    if (known) known.seen.push(one);
    else failures.set(truth.missing.name, { missing: truth.missing, seen: [one] });
  }
  return [...failures.values()];
}

function failureFinding(decider: LintExpression, { missing, seen }: ExpressionFailure): UnplacedFinding {
  const { at, path, what } = decider;
  const operations = failingOperations(seen);
  return {
    at,
    path,
    rule: 'condition-fails',
    severity: 'error',
    title: `${what} fails for every ${joinOperations(operations)}${failingResources(decider, seen)}: ${missing.name} is ${missing.state} there`,
    harm: failureHarm(decider, operations),
    remedy:
      missing.state === 'absent'
        ? remedyFor(missing)
        : `test ${missing.name} == null first, or remove ${joinOperations(operations)} from the rules`,
    ...failurePatch(decider, missing, seen),
  };
}

/** `CREATE, UPDATE and DELETE`. */
const joinOperations = (operations: readonly Operation[]): string =>
  [operations.slice(0, -1).join(', '), operations.at(-1) ?? ''].filter((part) => part !== '').join(' and ');

/** `request.?subResource.orValue('')` reads an optional field. */
const remedyFor = ({ name }: Missing): string =>
  `test has(${name}) first, or read ${name.replace(/\.(\w+)$/, ".?$1.orValue('')")}`;

const failingOperations = (seen: readonly MatchedRequest[]): readonly Operation[] => [
  ...new Set(seen.map(({ operation }) => operation)),
];

const maxNamed = 3;

/** ` of configmaps, pods`, or '' when it fails for every resource. */
function failingResources(decider: LintExpression, failing: readonly MatchedRequest[]): string {
  const operations = failingOperations(failing);
  const others = decider.seen.filter((one) => operations.includes(one.operation) && !failing.includes(one));
  if (others.every((one) => evaluateFor(decider, one).outcome === 'error')) return '';
  return ` of ${resourceNames(failing)}`;
}

/** `configmaps, pods`. */
function resourceNames(seen: readonly MatchedRequest[]): string {
  const names = [...new Set(seen.map(({ row }) => resourceName(row)))];
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Tests the name first. An absent field of `request` counts as ''. */
function failurePatch(
  decider: LintExpression,
  { name, state }: Missing,
  [first]: readonly MatchedRequest[],
): Pick<UnplacedFinding, 'patch'> {
  const { expression, role, patch, tree, variables } = decider;
  if (role === 'mutation' || first === undefined || tree === undefined) return {};
  if (state === 'null') return { patch: patch(`${name} == null || (${expression})`) };
  if (!name.startsWith('request.')) return {};
  const values = new Map([...requestFacts(first.operation, first.row), [name, { value: '' }] as const]);
  const isRefused = isFalse(evaluateTruth(tree, { values, variables }));
  return { patch: patch(isRefused ? `has(${name}) && (${expression})` : `!has(${name}) || (${expression})`) };
}

function failureHarm({ failurePolicy, owner, role }: LintExpression, failing: readonly Operation[]): string {
  const which = joinOperations(failing);
  if (failurePolicy === 'Fail')
    return `every such ${which} is refused (failurePolicy Fail)${failing.includes('DELETE') ? ': namespaces stay in Terminating, and nothing can be deleted' : ''}`;
  if (role === 'condition')
    return `the ${owner} is never ${owner === 'webhook' ? 'called' : 'evaluated'} for such a ${which} (failurePolicy Ignore)`;
  return `no such ${which} is ever ${role === 'validation' ? 'checked' : 'mutated'} (failurePolicy Ignore)`;
}

/** `namespaceObject` is null for cluster-scoped objects, and always null for webhooks. */
export const namespaceObject: LintCheck = (set) =>
  collectExpressions(set).flatMap((decider) => {
    const { at, path, what, owner, tree, failurePolicy } = decider;
    if (tree === undefined || !readsVariable(tree, 'namespaceObject')) return [];
    const failing = decider.seen.filter((one) => {
      const truth = evaluateFor(decider, one);
      return owner === 'webhook' || (truth.outcome === 'error' && truth.missing.name === 'namespaceObject');
    });
    const [first] = failing;
    if (first === undefined) return [];
    return [
      {
        at,
        path,
        rule: 'namespace-object',
        severity: 'error',
        title:
          owner === 'webhook'
            ? `${what} reads namespaceObject, which is always null for webhooks`
            : `${what} reads namespaceObject, which is null for ${resourceName(first.row)}, a cluster-scoped resource`,
        harm:
          failurePolicy === 'Fail'
            ? 'every such request is refused (failurePolicy Fail)'
            : 'the policy never validates such a request (failurePolicy Ignore)',
        remedy:
          owner === 'webhook'
            ? 'use namespaceSelector, or request.namespace'
            : 'write namespaceObject == null || …, or set scope: Namespaced in the rules',
      },
    ];
  });

/** Whether the expression reads this variable; a macro may declare one of the same name. */
function readsVariable(expr: Expr, name: string): boolean {
  if (expr.type === 'ident') return expr.name === name;
  if (expr.type === 'comprehension' && (expr.variable === name || expr.variable2 === name))
    return readsVariable(expr.range, name);
  return childrenOf(expr).some((child) => readsVariable(child, name));
}

/** An expression that fails without a name: generateName and deletecollection. */
export const absentName: LintCheck = (set) =>
  collectExpressions(set).flatMap((decider) => {
    const failures = decider.seen.flatMap((seen) => findUnnamedFailure(decider, seen, set));
    return unnamedCases.flatMap((when) => {
      const [first, ...others] = failures.filter((one) => one.when === when);
      return first === undefined ? [] : [found(decider, [first, ...others])];
    });
  });

const unnamedCases = ['is created with generateName', 'is deleted with its collection'] as const;

interface UnnamedFailure extends Pick<UnnamedRequest, 'when'> {
  readonly seen: MatchedRequest;
  readonly missing: Missing;
}

/** Expressions that fail for every request have a finding of their own. */
function findUnnamedFailure(decider: LintExpression, seen: MatchedRequest, set: LintSet): readonly UnnamedFailure[] {
  const request = unnamedRequest(seen.operation, seen.row, decider.phase);
  if (request === undefined || evaluateFor(decider, seen).outcome === 'error' || !isReached(decider, seen, set))
    return [];
  const truth = evaluateFor(decider, seen, request.facts);
  return truth.outcome === 'error' ? [{ seen, when: request.when, missing: truth.missing }] : [];
}

function found(decider: LintExpression, failures: readonly [UnnamedFailure, ...UnnamedFailure[]]): UnplacedFinding {
  const { at, path, what, failurePolicy, owner } = decider;
  const [{ missing, when }] = failures;
  const seen = failures.map((one) => one.seen);
  return {
    at,
    path,
    rule: 'absent-name',
    severity: failures.some(isCommon) ? 'error' : 'warning',
    title: `${what} fails for every object of ${resourceNames(seen)} that ${when}: ${missing.name} is absent there`,
    harm:
      failurePolicy === 'Fail'
        ? `every such request is refused (failurePolicy Fail)${failures.some(isCommon) ? commonHarms[when] : ''}`
        : `the ${owner} skips every such request (failurePolicy Ignore)`,
    remedy: remedyFor(missing),
    ...failurePatch(decider, missing, seen),
  };
}

const commonHarms: Readonly<Record<UnnamedRequest['when'], string>> = {
  'is created with generateName': ', as are all Pods that controllers create',
  'is deleted with its collection': ': namespaces stay in Terminating',
};

/** Workload controllers use generateName, and namespace deletion uses deletecollection. */
const isCommon = ({ when, seen: { row } }: UnnamedFailure): boolean =>
  when === 'is deleted with its collection' ? row.namespaced : row.group === '' && row.resource === 'pods';
