import { webhookDefaults } from '../../../machinery/meta/webhook-fields.ts';
import { always, defaultEach, ifPresent, structDefaults, type Defaulter } from './struct-defaults.ts';
import type * as admissionregistration from '../../types/generated/admissionregistration-v1.ts';

export const clientConfig = structDefaults<admissionregistration.WebhookClientConfig>({
  service: ifPresent(structDefaults<admissionregistration.ServiceReference>({ port: 443 })),
});

/**
 * Rules CFG-1 to CFG-8. Follows kubernetes pkg/apis/admissionregistration/v1/defaults.go SetDefaults_ValidatingWebhook
 * and SetDefaults_MutatingWebhook.
 */
const createConfigurationDefaults = (
  phase: 'mutating' | 'validating',
): Defaulter<admissionregistration.MutatingWebhookConfiguration> =>
  structDefaults<admissionregistration.MutatingWebhookConfiguration>({
    webhooks: defaultEach(
      structDefaults<admissionregistration.MutatingWebhook>({
        clientConfig: ifPresent(clientConfig),
        rules: defaultEach(structDefaults<admissionregistration.RuleWithOperations>({ scope: '*' })),
        ...webhookDefaults(phase),
      }),
    ),
  });

export const validatingWebhookConfiguration = createConfigurationDefaults('validating');

export const mutatingWebhookConfiguration = createConfigurationDefaults('mutating');

type Version = 'v1' | 'v1beta1' | 'v1alpha1';

const namedRule = structDefaults<admissionregistration.NamedRuleWithOperations>({ scope: '*' });

const matchResources = structDefaults<admissionregistration.MatchResources>({
  namespaceSelector: {},
  objectSelector: {},
  resourceRules: defaultEach(namedRule),
  excludeResourceRules: defaultEach(namedRule),
  matchPolicy: 'Equivalent',
});

/** Rules CFG-10 and CFG-11. Follows kubernetes pkg/apis/admissionregistration/v…/defaults.go SetDefaults_ValidatingAdmissionPolicySpec. */
export const admissionPolicy = structDefaults<admissionregistration.ValidatingAdmissionPolicy>({
  spec: always(
    structDefaults<admissionregistration.ValidatingAdmissionPolicySpec>({
      matchConstraints: ifPresent(matchResources),
      failurePolicy: 'Fail',
    }),
  ),
});

/** parameterNotFoundAction defaults only in v1alpha1: SetDefaults_ParamRef. */
export const createPolicyBindingDefaults = (
  version: Version,
): Defaulter<admissionregistration.ValidatingAdmissionPolicyBinding> =>
  structDefaults<admissionregistration.ValidatingAdmissionPolicyBinding>({
    spec: ifPresent(
      structDefaults<admissionregistration.ValidatingAdmissionPolicyBindingSpec>({
        ...(version === 'v1alpha1'
          ? {
              paramRef: ifPresent(structDefaults<admissionregistration.ParamRef>({ parameterNotFoundAction: 'Deny' })),
            }
          : {}),
        matchResources: ifPresent(matchResources),
      }),
    ),
  });
