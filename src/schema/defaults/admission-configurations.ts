import { always, each, inside, structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

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

type Version = 'v1' | 'v1beta1' | 'v1alpha1';

function matchResources(version: Version): Defaulter {
  const namedRule = structDefaults(`admissionregistration.${version}.NamedRuleWithOperations`, { scope: '*' });
  return structDefaults(`admissionregistration.${version}.MatchResources`, {
    namespaceSelector: {},
    objectSelector: {},
    resourceRules: each(namedRule),
    excludeResourceRules: each(namedRule),
    matchPolicy: 'Equivalent',
  });
}

type PolicyKind = 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy';

/** Rules CFG-10 and CFG-11. Follows kubernetes pkg/apis/admissionregistration/v…/defaults.go SetDefaults_ValidatingAdmissionPolicySpec. */
export const admissionPolicy = (kind: PolicyKind, version: Version): Defaulter =>
  structDefaults(`admissionregistration.${version}.${kind}`, {
    spec: always(
      structDefaults(`admissionregistration.${version}.${kind}Spec`, {
        matchConstraints: inside(matchResources(version)),
        failurePolicy: 'Fail',
      }),
    ),
  });

/** Of v1alpha1, a parameter that is not there denies unless told otherwise: SetDefaults_ParamRef. */
export const admissionPolicyBinding = (kind: PolicyKind, version: Version): Defaulter =>
  structDefaults(`admissionregistration.${version}.${kind}Binding`, {
    spec: inside(
      structDefaults(`admissionregistration.${version}.${kind}BindingSpec`, {
        ...(version === 'v1alpha1'
          ? {
              paramRef: inside(
                structDefaults('admissionregistration.v1alpha1.ParamRef', { parameterNotFoundAction: 'Deny' }),
              ),
            }
          : {}),
        matchResources: inside(matchResources(version)),
      }),
    ),
  });
