import { webhookDefaults } from '../../apimachinery/webhook-fields.ts';
import { always, each, inside, structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

const clientConfig = structDefaults({
  service: inside(structDefaults({ port: 443 })),
});

/** Rules CFG-1 to CFG-8. */
const configurationOf = (phase: 'mutating' | 'validating'): Defaulter =>
  structDefaults({
    webhooks: each(
      structDefaults({
        clientConfig: inside(clientConfig),
        rules: each(structDefaults({ scope: '*' })),
        ...webhookDefaults(phase),
      }),
    ),
  });

/** Follows kubernetes pkg/apis/admissionregistration/v1/defaults.go SetDefaults_ValidatingWebhook. */
export const validatingWebhookConfiguration = configurationOf('validating');

/** Follows kubernetes pkg/apis/admissionregistration/v1/defaults.go SetDefaults_MutatingWebhook. */
export const mutatingWebhookConfiguration = configurationOf('mutating');

type Version = 'v1' | 'v1beta1' | 'v1alpha1';

const namedRule = structDefaults({ scope: '*' });

const matchResources = structDefaults({
  namespaceSelector: {},
  objectSelector: {},
  resourceRules: each(namedRule),
  excludeResourceRules: each(namedRule),
  matchPolicy: 'Equivalent',
});

/** Rules CFG-10 and CFG-11. Follows kubernetes pkg/apis/admissionregistration/v…/defaults.go SetDefaults_ValidatingAdmissionPolicySpec. */
export const admissionPolicy = structDefaults({
  spec: always(
    structDefaults({
      matchConstraints: inside(matchResources),
      failurePolicy: 'Fail',
    }),
  ),
});

/** Of v1alpha1, a parameter that is not there denies unless told otherwise: SetDefaults_ParamRef. */
export const admissionPolicyBinding = (version: Version): Defaulter =>
  structDefaults({
    spec: inside(
      structDefaults({
        ...(version === 'v1alpha1'
          ? {
              paramRef: inside(structDefaults({ parameterNotFoundAction: 'Deny' })),
            }
          : {}),
        matchResources: inside(matchResources),
      }),
    ),
  });
