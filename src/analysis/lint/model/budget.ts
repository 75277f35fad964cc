import type { Operation } from '../../../apiserver/admission/chain/attributes.ts';
import { type LintHook, type LintSet, createLintSet } from './lint-set.ts';
import { requestSeconds } from '../../../machinery/meta/deadline.ts';
import { resourceName } from './served-rows.ts';
import { createRequirements } from './rule-subsumption.ts';
import type { BudgetedCall, RequestBudget } from '../../../explain/trace/request-budget.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { createServedObject } from './lint-object.ts';

/** Budgets of all kinds of requests, worst first; those with the same calls are merged. */
export function computeBudgets(set: Pick<LintSet, 'hooks'>, clientSeconds = Infinity): readonly RequestBudget[] {
  const byRequest = new Map<string, LintHook[]>();
  for (const hook of set.hooks.filter((one) => !isDeactivated(one))) {
    for (const request of new Set(hook.seen.map(({ operation, row }) => requestName(operation, resourceName(row))))) {
      const known = byRequest.get(request);
      if (known) known.push(hook);
      else byRequest.set(request, [hook]);
    }
  }
  const groups = new Map<string, { readonly requests: string[]; readonly hooks: readonly LintHook[] }>();
  for (const [request, hooks] of byRequest) {
    const key = hooks.map(({ webhook, phase }) => `${phase} ${webhook.uid}`).join('\n');
    const group = groups.get(key) ?? { requests: [], hooks };
    group.requests.push(request);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ requests, hooks }) => computeBudget(requests, hooks, Math.min(requestSeconds, clientSeconds)))
    .toSorted((one, other) => other.worstCase - one.worstCase);
}

const requestName = (operation: Operation, name: string): string => `${operation} ${name}`;

function computeBudget(requests: readonly string[], hooks: readonly LintHook[], limit: number): RequestBudget {
  const together = selectCompatible(hooks);
  const mutators = together.filter(({ phase }) => phase === 'mutating');
  const again = mutators.length > 1 ? mutators.filter(({ webhook }) => webhook.reinvocationPolicy === 'IfNeeded') : [];
  let spent = 0;
  const callOf =
    (round: 0 | 1) =>
    ({ webhook }: LintHook): BudgetedCall => {
      const { name, configuration, timeoutSeconds: seconds, failurePolicy } = webhook;
      const left = Math.max(0, limit - spent);
      spent += seconds;
      return { webhook: name, configuration, seconds, round, failurePolicy, left };
    };
  const calls = [...mutators.map(callOf(0)), ...again.map(callOf(1))];
  const mutating = totalTimeout(mutators);
  const secondRound = totalTimeout(again);
  const [slowest] = together
    .filter(({ phase }) => phase === 'validating')
    .toSorted((one, other) => other.webhook.timeoutSeconds - one.webhook.timeoutSeconds);
  const validating = slowest?.webhook.timeoutSeconds ?? 0;
  return {
    requests,
    calls,
    mutating,
    secondRound,
    validating,
    limit,
    slowestValidator: slowest?.webhook.name ?? '',
    worstCase: mutating + secondRound + validating,
  };
}

const totalTimeout = (hooks: readonly LintHook[]): number =>
  hooks.reduce((total, { webhook }) => total + webhook.timeoutSeconds, 0);

/** The webhooks that one request can meet together: selectors that exclude each other (revisions) are not added up. */
function selectCompatible(hooks: readonly LintHook[]): readonly LintHook[] {
  const chosen = new Set<LintHook>();
  const [namespace, object] = [createRequirements(), createRequirements()];
  for (const hook of hooks.toSorted((one, other) => other.webhook.timeoutSeconds - one.webhook.timeoutSeconds)) {
    const { namespaceSelector, objectSelector } = hook.webhook;
    if (namespaceSelector.outcome !== 'selector' || objectSelector.outcome !== 'selector') continue;
    const [ofNamespace, ofObject] = [namespaceSelector.selector.requirements, objectSelector.selector.requirements];
    if (namespace.contradicts(ofNamespace) || object.contradicts(ofObject)) continue;
    namespace.add(ofNamespace);
    object.add(ofObject);
    chosen.add(hook);
  }
  return hooks.filter((hook) => chosen.has(hook));
}

/** Istio gives webhooks of a tagged revision a label that no object has. Follows istio operator/pkg/util NeverMatch. */
const isDeactivated = ({ webhook: { namespaceSelector, objectSelector } }: LintHook): boolean =>
  [namespaceSelector, objectSelector].some(
    (one) =>
      one.outcome === 'selector' &&
      one.selector.requirements.some(
        ({ key, operator, values }) =>
          key === 'istio.io/deactivated' &&
          ['=', '==', 'in'].includes(operator) &&
          values.length === 1 &&
          values[0] === 'never-match',
      ),
  );

/** The largest timeoutSeconds with which all calls fit; at least 1. */
export function fittingTimeout({ calls, validating, limit }: RequestBudget): number {
  for (let cap = 30; cap > 1; cap--) {
    const total = calls.reduce((all, { seconds }) => all + Math.min(seconds, cap), Math.min(validating, cap));
    if (total < limit) return cap;
  }
  return 1;
}

/** Budgets of a server's webhook configurations and CustomResourceDefinitions. */
export function computeServedBudgets(objects: readonly KubernetesObject[]): readonly RequestBudget[] {
  const placed = objects.map((object) => createServedObject(object, 'server'));
  return computeBudgets(createLintSet(placed, { isWhole: true, now: 0 }));
}
