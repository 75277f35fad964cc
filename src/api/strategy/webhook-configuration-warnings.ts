import { asList } from '../../machinery/json/json.ts';
import { groupResourceText, type GroupResource } from '../../machinery/meta/gvk.ts';
import type { ValidatingWebhookConfiguration } from '../types/generated/admissionregistration-v1.ts';
import { isReview } from '../../machinery/meta/hidden-reviews.ts';

/** How a warning about a rule for reviews ends. */
export const excludedReview = 'is excluded from admission webhooks; this rule will have no effect';

/** About rules that name reviews. Follows kubernetes pkg/apis/admissionregistration/validation/warnings.go. */
export function webhookConfigurationWarnings({ webhooks }: ValidatingWebhookConfiguration): readonly string[] {
  return asList(webhooks).flatMap(({ rules }, webhook) =>
    asList(rules).flatMap(({ apiGroups, resources }, rule) =>
      namedReviews(asList(apiGroups), asList(resources)).map(
        (name) => `webhooks[${webhook}].rules[${rule}]: ${name} ${excludedReview}`,
      ),
    ),
  );
}

/** A rule with a wildcard may mean others. */
function namedReviews(groups: readonly string[], resources: readonly string[]): readonly string[] {
  if (groups.includes('*') || resources.includes('*')) return [];
  const named = groups.flatMap((group) => resources.map((resource): GroupResource => ({ group, resource })));
  return [...new Set(named.filter(isReview).map(groupResourceText))];
}
