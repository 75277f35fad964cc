import type { GroupResource } from './gvk.ts';

const reviewResources: ReadonlySet<string> = new Set([
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]);

/**
 * Policies never see these, webhooks before 1.37 only: a broken one would lock out everyone. Follows kubernetes
 * pkg/kubeapiserver/admission/exclusion.
 */
export const isReview = ({ group, resource }: GroupResource): boolean => reviewResources.has(`${group}/${resource}`);

/** The feature gate that hides reviews from webhooks. */
export const hidesReviews = 'ExcludeAdmissionWebhookVirtualResources';
