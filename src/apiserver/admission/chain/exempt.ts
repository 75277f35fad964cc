import { isReview } from '../../../machinery/meta/hidden-reviews.ts';
import type { AdmissionAttributes } from './attributes.ts';

const exemptKinds: ReadonlySet<string> = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/** The registrations that never see a request: none, those of the API, or those from files too. */
export type Exemption = 'none' | 'from-api' | 'from-all';

/**
 * Keeps broken webhooks repairable. Follows apiserver pkg/admission/plugin/webhook/predicates/rules/rules.go and
 * generic/webhook.go Dispatch (rules SEL-1, STA-7).
 */
export function webhookExemption({ kind, resource }: AdmissionAttributes, excludesReviews: boolean): Exemption {
  if (excludesReviews && isReview(resource)) return 'from-all';
  return kind.group === 'admissionregistration.k8s.io' && exemptKinds.has(kind.kind) ? 'from-api' : 'none';
}

const policyResources: ReadonlySet<string> = new Set([
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/**
 * Policies never see reviews; only those from files see policies. Follows apiserver
 * pkg/admission/plugin/policy/generic/plugin.go (rules SEL-1a, SEL-2, STA-7).
 */
export function policyExemption({ resource }: AdmissionAttributes): Exemption {
  if (isReview(resource)) return 'from-all';
  const isPolicy = resource.group === 'admissionregistration.k8s.io' && policyResources.has(resource.resource);
  return isPolicy ? 'from-api' : 'none';
}
