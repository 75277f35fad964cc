import { always, inside, structDefaults, unlessZero } from './struct-defaults.ts';

/** Follows kube-aggregator pkg/apis/apiregistration/v1/defaults.go SetDefaults_ServiceReference. */
export const apiService = structDefaults({
  spec: inside(
    structDefaults({
      service: inside(structDefaults({ port: 443 })),
    }),
  ),
});

/** Follows kubernetes pkg/apis/scheduling/v1/defaults.go SetDefaults_PriorityClass. */
export const priorityClass = structDefaults({
  preemptionPolicy: 'PreemptLowerPriority',
});

/** Follows kubernetes pkg/apis/flowcontrol/v1/defaults.go SetDefaults_FlowSchemaSpec. */
export const flowSchema = structDefaults({
  spec: always(structDefaults({ matchingPrecedence: unlessZero(1000) })),
});

const limitResponse = structDefaults({
  queuing: inside(
    structDefaults({
      queues: unlessZero(64),
      handSize: unlessZero(8),
      queueLengthLimit: unlessZero(50),
    }),
  ),
});

const limited = structDefaults({
  nominalConcurrencyShares: 30,
  limitResponse: inside(limitResponse),
  lendablePercent: 0,
});

const exempt = structDefaults({
  nominalConcurrencyShares: 0,
  lendablePercent: 0,
});

/** Follows kubernetes pkg/apis/flowcontrol/v1/defaults.go SetDefaults_LimitedPriorityLevelConfiguration. */
export const priorityLevelConfiguration = structDefaults({
  spec: inside(
    structDefaults({
      limited: inside(limited),
      exempt: inside(exempt),
    }),
  ),
});

/** Follows kubernetes pkg/apis/authentication/v1/defaults.go SetDefaults_TokenRequestSpec. */
export const tokenRequest = structDefaults({
  spec: always(structDefaults({ expirationSeconds: 3600 })),
});
