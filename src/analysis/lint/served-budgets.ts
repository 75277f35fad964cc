import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { RequestBudget } from '../../explain/trace/request-budget.ts';
import { budgetsOf } from './model/budget.ts';
import { servedObject } from './model/lint-object.ts';
import { createLintSet } from './model/lint-set.ts';

/** Budgets of a server's webhook configurations and CustomResourceDefinitions. */
export function servedBudgets(objects: readonly KubernetesObject[]): readonly RequestBudget[] {
  const placed = objects.map((object) => servedObject(object, 'server'));
  return budgetsOf(createLintSet(placed, { isWhole: true, now: 0 }));
}
