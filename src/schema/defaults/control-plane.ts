import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { always, each, inside, structDefaults, unlessZero } from './struct-defaults.ts';

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

const tolerations = each(structDefaults('resource.v1.DeviceToleration', { operator: 'Equal' }));

const deviceCount = {
  allocationMode: 'ExactCount',
  count: (value: JsonValue | undefined, { allocationMode }: JsonObject) =>
    value ?? ((allocationMode ?? 'ExactCount') === 'ExactCount' ? 1 : undefined),
  tolerations,
} as const;

const deviceRequest = structDefaults('resource.v1.DeviceRequest', {
  exactly: inside(structDefaults('resource.v1.ExactDeviceRequest', deviceCount)),
  firstAvailable: each(structDefaults('resource.v1.DeviceSubRequest', deviceCount)),
});

const claimSpec = structDefaults('resource.v1.ResourceClaimSpec', {
  devices: inside(structDefaults('resource.v1.DeviceClaim', { requests: each(deviceRequest) })),
});

/** Follows kubernetes pkg/apis/resource/v1/defaults.go SetDefaults_ExactDeviceRequest. */
export const resourceClaim = structDefaults('resource.v1.ResourceClaim', { spec: inside(claimSpec) });

export const resourceClaimTemplate = structDefaults('resource.v1.ResourceClaimTemplate', {
  spec: inside(structDefaults('resource.v1.ResourceClaimTemplateSpec', { spec: inside(claimSpec) })),
});
