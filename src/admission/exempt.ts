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
