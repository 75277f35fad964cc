import { always, each, inside, structDefaults } from './struct-defaults.ts';
import type { StructName } from '../types/with-fields.ts';

const clientConfig = structDefaults('admissionregistration.v1.WebhookClientConfig', {
  service: inside(structDefaults('admissionregistration.v1.ServiceReference', { port: 443 })),
});

/** What both kinds of webhook share (rules CFG-1 to CFG-8). */
const webhookRules = {
  clientConfig: inside(clientConfig),
  rules: each(structDefaults('admissionregistration.v1.RuleWithOperations', { scope: '*' })),
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
} as const;

/** Follows kubernetes pkg/apis/admissionregistration/v1/defaults.go SetDefaults_ValidatingWebhook. */
export const validatingWebhookConfiguration = structDefaults(
  'admissionregistration.v1.ValidatingWebhookConfiguration',
  { webhooks: each(structDefaults('admissionregistration.v1.ValidatingWebhook', webhookRules)) },
);

/** Follows kubernetes pkg/apis/admissionregistration/v1/defaults.go SetDefaults_MutatingWebhook. */
export const mutatingWebhookConfiguration = structDefaults('admissionregistration.v1.MutatingWebhookConfiguration', {
  webhooks: each(
    structDefaults('admissionregistration.v1.MutatingWebhook', { ...webhookRules, reinvocationPolicy: 'Never' }),
  ),
});

const namedRule = structDefaults('admissionregistration.v1.NamedRuleWithOperations', { scope: '*' });

const matchResources = structDefaults('admissionregistration.v1.MatchResources', {
  namespaceSelector: {},
  objectSelector: {},
  resourceRules: each(namedRule),
  excludeResourceRules: each(namedRule),
  matchPolicy: 'Equivalent',
});

const policyOf = (name: StructName, spec: StructName) =>
  structDefaults(name, {
    spec: always(structDefaults(spec, { matchConstraints: inside(matchResources), failurePolicy: 'Fail' })),
  });

const bindingOf = (name: StructName, spec: StructName) =>
  structDefaults(name, { spec: inside(structDefaults(spec, { matchResources: inside(matchResources) })) });

/** Rules CFG-10 and CFG-11. Follows kubernetes pkg/apis/admissionregistration/v1/defaults.go SetDefaults_ValidatingAdmissionPolicySpec. */
export const validatingAdmissionPolicy = policyOf(
  'admissionregistration.v1.ValidatingAdmissionPolicy',
  'admissionregistration.v1.ValidatingAdmissionPolicySpec',
);

export const mutatingAdmissionPolicy = policyOf(
  'admissionregistration.v1.MutatingAdmissionPolicy',
  'admissionregistration.v1.MutatingAdmissionPolicySpec',
);

export const validatingAdmissionPolicyBinding = bindingOf(
  'admissionregistration.v1.ValidatingAdmissionPolicyBinding',
  'admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec',
);

export const mutatingAdmissionPolicyBinding = bindingOf(
  'admissionregistration.v1.MutatingAdmissionPolicyBinding',
  'admissionregistration.v1.MutatingAdmissionPolicyBindingSpec',
);
