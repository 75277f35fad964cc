import { asObject, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { type Expr, parseExpression } from '../../../cel/index.ts';
import { type Fact, type Truth, evaluateTruth } from './expression-truth.ts';
import type { LintObject, ValuePath } from './lint-object.ts';
import type { LintSet } from './lint-set.ts';
import { requestFacts } from './request-facts.ts';
import type { MatchedRequest } from './served-rows.ts';

/** An expression and the requests that reach it. */
export interface LintExpression {
  readonly at: LintObject;
  readonly path: ValuePath;
  /** `match condition no-system of webhook pods.example.com`. */
  readonly what: string;
  readonly expression: string;
  readonly tree: Expr | undefined;
  readonly seen: readonly MatchedRequest[];
  readonly variables: ReadonlyMap<string, Expr>;
  /** Facts about every request, besides those of its kind. */
  readonly facts: ReadonlyMap<string, Fact>;
  readonly phase: 'mutating' | 'validating';
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly owner: 'webhook' | 'policy';
  readonly role: 'condition' | 'validation' | 'mutation';
  /** The condition's entry with another expression. */
  readonly patch: (expression: string) => JsonObject;
}

/** Once per set: `isReached` needs them for each request that an expression is held against. */
const expressionsBySet = new WeakMap<LintSet, readonly LintExpression[]>();

export function collectExpressions(set: LintSet): readonly LintExpression[] {
  const made = expressionsBySet.get(set) ?? [
    ...set.hooks.flatMap(webhookExpressions),
    ...set.policies.flatMap((one) => policyExpressions(one, set)),
  ];
  expressionsBySet.set(set, made);
  return made;
}

/** The result for a request of this kind, with further facts. */
export const evaluateFor = (
  { tree, variables, facts, phase }: LintExpression,
  { operation, row }: MatchedRequest,
  values = requestFacts(operation, row, { phase }),
): Truth =>
  tree === undefined
    ? { outcome: 'unknown' }
    : evaluateTruth(tree, { values: new Map([...values, ...facts]), variables });

export const isFalse = (truth: Truth): boolean => truth.outcome === 'value' && truth.value === false;

/** False when an earlier match condition is known to be false. */
export function isReached({ at, path }: LintExpression, seen: MatchedRequest, set: LintSet): boolean {
  const conditions = collectExpressions(set).filter(
    (one) => one.at === at && one.role === 'condition' && (path[0] === 'spec' || one.path[1] === path[1]),
  );
  return !conditions.some((one) => isFalse(evaluateFor(one, seen)));
}

/** Match conditions of webhooks have no namespaceObject. */
const webhookFacts: ReadonlyMap<string, Fact> = new Map([['namespaceObject', { value: null }]]);

function webhookExpressions({ at, webhook, path, seen, phase }: LintSet['hooks'][number]): readonly LintExpression[] {
  return webhook.matchConditions.map(({ name, expression }, index) => ({
    at,
    expression,
    seen,
    phase,
    facts: webhookFacts,
    failurePolicy: webhook.failurePolicy,
    path: [...path, 'matchConditions', index, 'expression'],
    what: `match condition ${name} of webhook ${webhook.name}`,
    tree: parseExpression(expression),
    variables: new Map(),
    owner: 'webhook',
    role: 'condition',
    patch: (changed) => ({ webhooks: [{ name: webhook.name, matchConditions: [{ name, expression: changed }] }] }),
  }));
}

function policyExpressions({ at, policy, seen }: LintSet['policies'][number], set: LintSet): readonly LintExpression[] {
  const variables = new Map(
    policy.variables.flatMap(({ name, expression }) => {
      const tree = parseExpression(expression);
      return tree === undefined ? [] : [[name, tree] as const];
    }),
  );
  const facts = new Map<string, Fact>(hasNoParams({ at, policy }, set) ? [['params', { value: null }]] : []);
  return policyParts(policy).map(({ role, title, path, expression }) => ({
    at,
    expression,
    seen,
    variables,
    facts,
    role,
    phase: at.kind === 'MutatingAdmissionPolicy' ? 'mutating' : 'validating',
    failurePolicy: policy.failurePolicy,
    path: ['spec', ...path, 'expression'],
    what: `${title} of policy ${policy.name}`,
    tree: parseExpression(expression),
    owner: 'policy',
    patch: (changed) => (role === 'mutation' ? {} : { spec: { [String(path[0])]: [{ expression: changed }] } }),
  }));
}

interface PolicyExpression extends Pick<LintExpression, 'role' | 'path' | 'expression'> {
  readonly title: string;
}

const policyParts = (policy: LintSet['policies'][number]['policy']): readonly PolicyExpression[] => [
  ...policy.matchConditions.map(({ name, expression }, index) => ({
    role: 'condition' as const,
    title: `match condition ${name}`,
    path: ['matchConditions', index],
    expression,
  })),
  ...policy.validations.map(({ expression }, index) => ({
    role: 'validation' as const,
    title: `validation ${index + 1}`,
    path: ['validations', index],
    expression,
  })),
  ...policy.mutations.map(({ patchType, expression }, index) => ({
    role: 'mutation' as const,
    title: `mutation ${index + 1}`,
    path: ['mutations', index, patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration'],
    expression,
  })),
];

/** `params` is null when no binding has a paramRef. */
function hasNoParams(
  { at, policy }: Pick<LintSet['policies'][number], 'at' | 'policy'>,
  { bindings }: LintSet,
): boolean {
  if (policy.paramKind === undefined) return false;
  const own = bindings.filter((one) => one.at.kind === `${at.kind}Binding` && one.binding.policyName === at.name);
  return own.length > 0 && own.every((one) => !isJsonObject(asObject(one.at.object['spec'])['paramRef']));
}
