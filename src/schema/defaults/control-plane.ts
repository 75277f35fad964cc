import { always, inside, structDefaults, unlessZero } from './struct-defaults.ts';

/** Follows kube-aggregator pkg/apis/apiregistration/v1/defaults.go SetDefaults_ServiceReference. */
export const apiService = structDefaults('apiregistration.v1.APIService', {
  spec: inside(
    structDefaults('apiregistration.v1.APIServiceSpec', {
      service: inside(structDefaults('apiregistration.v1.ServiceReference', { port: 443 })),
    }),
  ),
});

/** Follows kubernetes pkg/apis/scheduling/v1/defaults.go SetDefaults_PriorityClass. */
export const priorityClass = structDefaults('scheduling.v1.PriorityClass', {
  preemptionPolicy: 'PreemptLowerPriority',
});

/** Follows kubernetes pkg/apis/flowcontrol/v1/defaults.go SetDefaults_FlowSchemaSpec. */
export const flowSchema = structDefaults('flowcontrol.v1.FlowSchema', {
  spec: always(structDefaults('flowcontrol.v1.FlowSchemaSpec', { matchingPrecedence: unlessZero(1000) })),
});

const limitResponse = structDefaults('flowcontrol.v1.LimitResponse', {
  queuing: inside(
    structDefaults('flowcontrol.v1.QueuingConfiguration', {
      queues: unlessZero(64),
      handSize: unlessZero(8),
      queueLengthLimit: unlessZero(50),
    }),
  ),
});

const limited = structDefaults('flowcontrol.v1.LimitedPriorityLevelConfiguration', {
  nominalConcurrencyShares: 30,
  limitResponse: inside(limitResponse),
  lendablePercent: 0,
});

const exempt = structDefaults('flowcontrol.v1.ExemptPriorityLevelConfiguration', {
  nominalConcurrencyShares: 0,
  lendablePercent: 0,
});

/** Follows kubernetes pkg/apis/flowcontrol/v1/defaults.go SetDefaults_LimitedPriorityLevelConfiguration. */
export const priorityLevelConfiguration = structDefaults('flowcontrol.v1.PriorityLevelConfiguration', {
  spec: inside(
    structDefaults('flowcontrol.v1.PriorityLevelConfigurationSpec', {
      limited: inside(limited),
      exempt: inside(exempt),
    }),
  ),
});

/** Follows kubernetes pkg/apis/authentication/v1/defaults.go SetDefaults_TokenRequestSpec. */
export const tokenRequest = structDefaults('authentication.v1.TokenRequest', {
  spec: always(structDefaults('authentication.v1.TokenRequestSpec', { expirationSeconds: 3600 })),
});
