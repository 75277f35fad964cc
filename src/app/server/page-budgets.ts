import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import type { BudgetsDocument } from '../../explain/trace/request-budget.ts';

const kinds = [
  { group: 'admissionregistration.k8s.io', resource: 'mutatingwebhookconfigurations' },
  { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations' },
  { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
];

/** `GET /kadmit/v1/budgets` of the page: how long the webhooks that are configured now may hold up each kind of request. */
export async function pageBudgets(cluster: Pick<ClusterView, 'list'>): Promise<BudgetsDocument> {
  const { servedBudgets } = await import('../../analysis/lint/served-budgets.ts');
  return { budgets: servedBudgets(kinds.flatMap((kind) => cluster.list(kind))) };
}
