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
 * No webhook ever sees the configuration of admission itself, so that a broken one can always be repaired.
 * Follows apiserver pkg/admission/plugin/webhook/predicates/rules/rules.go (rule SEL-1).
 */
export const isExemptFromWebhooks = ({ kind }: AdmissionAttributes): boolean =>
  kind.group === 'admissionregistration.k8s.io' && exemptKinds.has(kind.kind);

const policyResources: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]);

/**
 * No policy sees policies or reviews; webhook configurations they do see.
 * Follows apiserver pkg/admission/plugin/policy/generic/plugin.go (rules SEL-1a, SEL-2).
 */
export const isExemptFromPolicies = ({ resource: { group, resource } }: AdmissionAttributes): boolean =>
  policyResources.has(`${group}/${resource}`);
