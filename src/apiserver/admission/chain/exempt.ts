import type { AdmissionAttributes } from './attributes.ts';

const exemptKinds: ReadonlySet<string> = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/**
 * Keeps broken webhooks repairable. Follows apiserver pkg/admission/plugin/webhook/predicates/rules/rules.go (rules
 * SEL-1, STA-7).
 */
export const isExemptFromWebhooks = ({ kind }: AdmissionAttributes): boolean =>
  kind.group === 'admissionregistration.k8s.io' && exemptKinds.has(kind.kind);

const policyResources: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
]);

const reviewResources: ReadonlySet<string> = new Set([
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]);

/**
 * Policies never see reviews; only those from files see policies. Follows apiserver
 * pkg/admission/plugin/policy/generic/plugin.go (rules SEL-1a, SEL-2, STA-7).
 */
export function policyExemption({
  resource: { group, resource },
}: AdmissionAttributes): 'none' | 'from-api' | 'from-all' {
  const name = `${group}/${resource}`;
  if (reviewResources.has(name)) return 'from-all';
  return policyResources.has(name) ? 'from-api' : 'none';
}
