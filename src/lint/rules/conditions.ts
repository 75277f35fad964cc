import type { Operation } from '../../admission/attributes.ts';
import { compileCondition, walk } from '../../cel/index.ts';
import type { Expr } from '../../cel/index.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { treeOf } from '../model/expression-tree.ts';
import { truthOf } from '../model/expression-truth.ts';
import type { LintObject, ValuePath } from '../model/lint-object.ts';
import type { LintSet } from '../model/lint-set.ts';
import type { Check, Found } from '../model/report.ts';
import { requestFacts } from '../model/request-facts.ts';
import { rowName } from '../model/served-rows.ts';
import type { SeenRequest } from '../model/seen-requests.ts';

/** An expression that decides about requests, with those that reach it. */
interface Decider {
  readonly at: LintObject;
  readonly path: ValuePath;
  /** `match condition no-system of webhook pods.example.com`. */
  readonly what: string;
  readonly expression: string;
  readonly tree: Expr | undefined;
  readonly seen: readonly SeenRequest[];
  readonly variables: ReadonlyMap<string, Expr>;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly owner: 'webhook' | 'policy';
  readonly role: 'condition' | 'validation' | 'mutation';
  /** The entry of the condition with another expression. */
  readonly patch: (expression: string) => JsonObject;
}

const decidersIn = new WeakMap<LintSet, readonly Decider[]>();

function deciders(set: LintSet): readonly Decider[] {
  const made = decidersIn.get(set) ?? [...set.hooks.flatMap(ofHook), ...set.policies.flatMap(ofPolicy)];
  decidersIn.set(set, made);
  return made;
}

function ofHook({ at, webhook, path, seen }: LintSet['hooks'][number]): readonly Decider[] {
  return webhook.matchConditions.map(({ name, expression }, index) => ({
    at,
    expression,
    seen,
    failurePolicy: webhook.failurePolicy,
    path: [...path, 'matchConditions', index, 'expression'],
    what: `match condition ${name} of webhook ${webhook.name}`,
    tree: treeOf(expression),
    variables: new Map(),
    owner: 'webhook',
    role: 'condition',
    patch: (changed) => ({
      webhooks: [
        {
          name: webhook.name,
          matchConditions: [
            {
              name,
              expression: changed,
            },
          ],
        },
      ],
    }),
  }));
}

function ofPolicy({ at, policy, seen }: LintSet['policies'][number]): readonly Decider[] {
  const variables = new Map(
    policy.variables.flatMap(({ name, expression }) => {
      const tree = treeOf(expression);
      return tree === undefined ? [] : [[name, tree] as const];
    }),
  );
  const decider = (field: string, index: number, what: string, expression: string): Decider => ({
    at,
    expression,
    seen,
    variables,
    failurePolicy: policy.failurePolicy,
    path: ['spec', field, index, 'expression'],
    what: `${what} of policy ${policy.name}`,
    tree: treeOf(expression),
    owner: 'policy',
    role: field === 'matchConditions' ? 'condition' : field === 'validations' ? 'validation' : 'mutation',
    patch: (changed) => ({ spec: { [field]: [{ expression: changed }] } }),
  });
  return [
    ...policy.matchConditions.map((one, index) =>
      decider('matchConditions', index, `match condition ${one.name}`, one.expression),
    ),
    ...policy.validations.map((one, index) => decider('validations', index, `validation ${index + 1}`, one.expression)),
  ];
}

/** A condition that does not compile is refused with its configuration. */
export const conditionInvalid: Check = (set) =>
  deciders(set)
    .filter(({ owner }) => owner === 'webhook')
    .flatMap(({ at, path, what, expression }) => {
      const compilation = compileCondition(expression, { stored: true });
      if (compilation.outcome === 'compiled') return [];
      return [
        {
          at,
          path,
          rule: 'condition-invalid',
          severity: 'error',
          title: `${what} does not compile: ${compilation.error.split('\n')[0] ?? ''}`,
          harm: 'the API server refuses the configuration',
          remedy: 'try it with kadmit cel --context matchConditions',
        },
      ];
    });

/** A condition that comes to the same for every request that the rules let through. */
export const conditionConstant: Check = (set) =>
  deciders(set)
    .filter(({ role, seen }) => role === 'condition' && seen.length > 0)
    .flatMap((decider) => {
      const values = new Set(decider.seen.map((one) => valueFor(decider, one)));
      const [only] = values;
      if (values.size !== 1 || (only !== true && only !== false)) return [];
      const { at, path, what, owner } = decider;
      const found: Found = {
        at,
        path,
        rule: 'condition-constant',
        severity: only ? 'note' : 'error',
        title: `${what} is ${String(only)} for every request that its rules take`,
        harm: only
          ? 'it leaves nothing out, whatever it was meant for'
          : `the ${owner} is never asked, and nothing says so`,
        remedy: only
          ? 'drop it, or write what it was meant to leave out'
          : 'compare it with the operations and resources of the rules',
      };
      return [found];
    });

function valueFor({ tree, variables }: Decider, { operation, row }: SeenRequest): boolean | undefined {
  const truth = tree && truthOf(tree, { values: requestFacts(operation, row), variables });
  return truth?.outcome === 'value' && typeof truth.value === 'boolean' ? truth.value : undefined;
}

/** An expression that fails for all requests of an operation, mostly since there is no object, or no old one. */
export const conditionFails: Check = (set) =>
  deciders(set).flatMap((decider) => {
    const { at, path, what, seen } = decider;
    const failing = operationsOf(seen).filter((operation) => {
      const own = seen.filter((one) => one.operation === operation);
      return own.every((one) => failsFor(decider, one)) && own.some((one) => isReached(decider, one, set));
    });
    if (failing.length === 0) return [];
    const missing = failing.includes('DELETE') ? 'object' : 'oldObject';
    const fix = `${missing} == null || (${decider.expression})`;
    const found: Found = {
      at,
      path,
      rule: 'condition-fails',
      severity: 'error',
      title: `${what} fails for every ${failing.join(' and ')}: ${missing} is null there`,
      harm: harmOf(decider, failing),
      remedy: `ask for it first, or leave ${failing.join(' and ')} out of the rules`,
      patch: decider.patch(fix),
    };
    return [found];
  });

const operationsOf = (seen: readonly SeenRequest[]): readonly Operation[] => [
  ...new Set(seen.map(({ operation }) => operation)),
];

const failsFor = ({ tree, variables }: Decider, { operation, row }: SeenRequest): boolean =>
  tree !== undefined && truthOf(tree, { values: requestFacts(operation, row), variables }).outcome === 'error';

/** Another condition may say no before, and then nothing is lost. */
function isReached({ at, path }: Decider, seen: SeenRequest, set: LintSet): boolean {
  const same = deciders(set).filter((one) => one.at === at && one.role === 'condition' && one.path[1] === path[1]);
  const conditions =
    path[0] === 'spec' ? deciders(set).filter((one) => one.at === at && one.role === 'condition') : same;
  return conditions.every((one) => valueFor(one, seen) !== false);
}

function harmOf({ failurePolicy, owner, role }: Decider, failing: readonly Operation[]): string {
  const which = failing.join(' and ');
  if (failurePolicy === 'Fail')
    return `every ${which} that gets there is refused (failurePolicy Fail)${failing.includes('DELETE') ? ': namespaces hang in Terminating, and nothing can be cleaned up' : ''}`;
  return role === 'condition'
    ? `the ${owner} is never asked about a ${which} (failurePolicy Ignore)`
    : `no ${which} is ever checked (failurePolicy Ignore)`;
}

/** `namespaceObject` is null for whatever is in no namespace, and always null for webhooks. */
export const namespaceObject: Check = (set) =>
  deciders(set).flatMap((decider) => {
    const { at, path, what, seen, owner, tree, failurePolicy } = decider;
    if (tree === undefined || !names(tree, 'namespaceObject')) return [];
    const cluster = seen.filter(({ row }) => !row.namespaced);
    const failing = owner === 'webhook' ? seen : cluster.filter((one) => failsFor(decider, one));
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
            ? `${what} asks for namespaceObject, which webhooks are never given`
            : `${what} asks for namespaceObject, which is null for ${rowName(first.row)}: that is in no namespace`,
        harm:
          failurePolicy === 'Fail'
            ? 'every such request is refused (failurePolicy Fail)'
            : 'it never decides about such a request (failurePolicy Ignore)',
        remedy:
          owner === 'webhook'
            ? 'use namespaceSelector, or request.namespace'
            : 'write namespaceObject == null || …, or scope: Namespaced in the rules',
      },
    ];
  });

function names(tree: Expr, wanted: string): boolean {
  let isNamed = false;
  walk(tree, (expr) => {
    isNamed ||= expr.type === 'ident' && expr.name === wanted;
  });
  return isNamed;
}
