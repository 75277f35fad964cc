import { isJsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { always, type Defaulter, ifPresent, structDefaults, unlessZero, defaultEach } from './struct-defaults.ts';
import type { APIService, APIServiceSpec, ServiceReference } from '../../types/generated/apiregistration-v1.ts';
import type { PriorityClass } from '../../types/generated/scheduling-v1.ts';
import type { TokenRequest, TokenRequestSpec } from '../../types/generated/authentication-v1.ts';
import type * as flowcontrol from '../../types/generated/flowcontrol-v1.ts';
import type { RoleBinding, RoleRef, Subject } from '../../types/generated/rbac-v1.ts';
import type { PodCertificateRequest, PodCertificateRequestSpec } from '../../types/generated/certificates-v1.ts';
import type {
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestSpec,
} from '../../types/generated/resource-v1alpha3.ts';
import type { PodGroup, PodGroupSpec } from '../../types/generated/scheduling-v1beta1.ts';

/** Follows the default markers of k8s.io/api certificates/v1/types.go. */
export const podCertificateRequest = structDefaults<PodCertificateRequest>({
  spec: ifPresent(structDefaults<PodCertificateRequestSpec>({ maxExpirationSeconds: 86_400 })),
});

/** Follows kubernetes pkg/apis/resource/v1alpha3/defaults.go SetDefaults_ResourcePoolStatusRequestSpec. */
export const resourcePoolStatusRequest = structDefaults<ResourcePoolStatusRequest>({
  spec: ifPresent(structDefaults<ResourcePoolStatusRequestSpec>({ limit: 100 })),
});

/** Follows the default markers of k8s.io/api scheduling/v1beta1/types.go. */
export const podGroup = structDefaults<PodGroup>({
  spec: ifPresent(structDefaults<PodGroupSpec>({ disruptionMode: { single: {} } })),
});

/** Of 1.36: scheduling/v1alpha2/types.go. */
export const podGroupV1alpha2: Defaulter<KubernetesObject> = (podGroup) =>
  isJsonObject(podGroup['spec']) ? { ...podGroup, spec: { disruptionMode: 'Pod', ...podGroup['spec'] } } : podGroup;

const group = 'rbac.authorization.k8s.io';

const roleRef = structDefaults<RoleRef>({ apiGroup: (value) => value || group });

const subject = structDefaults<Subject>({
  apiGroup: (value, { kind }) => value ?? (kind === 'User' || kind === 'Group' ? group : undefined),
});

/** Follows kubernetes pkg/apis/rbac/v1/defaults.go SetDefaults_RoleBinding. */
export const roleBinding = structDefaults<RoleBinding>({ subjects: defaultEach(subject), roleRef: ifPresent(roleRef) });

/** Follows kube-aggregator pkg/apis/apiregistration/v1/defaults.go SetDefaults_ServiceReference. */
export const apiService = structDefaults<APIService>({
  spec: ifPresent(
    structDefaults<APIServiceSpec>({
      service: ifPresent(structDefaults<ServiceReference>({ port: 443 })),
    }),
  ),
});

/** Follows kubernetes pkg/apis/scheduling/v1/defaults.go SetDefaults_PriorityClass. */
export const priorityClass = structDefaults<PriorityClass>({
  preemptionPolicy: 'PreemptLowerPriority',
});

/** Follows kubernetes pkg/apis/flowcontrol/v1/defaults.go SetDefaults_FlowSchemaSpec. */
export const flowSchema = structDefaults<flowcontrol.FlowSchema>({
  spec: always(structDefaults<flowcontrol.FlowSchemaSpec>({ matchingPrecedence: unlessZero(1000) })),
});

const limitResponse = structDefaults<flowcontrol.LimitResponse>({
  queuing: ifPresent(
    structDefaults<flowcontrol.QueuingConfiguration>({
      queues: unlessZero(64),
      handSize: unlessZero(8),
      queueLengthLimit: unlessZero(50),
    }),
  ),
});

const limited = structDefaults<flowcontrol.LimitedPriorityLevelConfiguration>({
  nominalConcurrencyShares: 30,
  limitResponse: ifPresent(limitResponse),
  lendablePercent: 0,
});

const exempt = structDefaults<flowcontrol.ExemptPriorityLevelConfiguration>({
  nominalConcurrencyShares: 0,
  lendablePercent: 0,
});

/** Follows kubernetes pkg/apis/flowcontrol/v1/defaults.go SetDefaults_LimitedPriorityLevelConfiguration. */
export const priorityLevelConfiguration = structDefaults<flowcontrol.PriorityLevelConfiguration>({
  spec: ifPresent(
    structDefaults<flowcontrol.PriorityLevelConfigurationSpec>({
      limited: ifPresent(limited),
      exempt: ifPresent(exempt),
    }),
  ),
});

/** Follows kubernetes pkg/apis/authentication/v1/defaults.go SetDefaults_TokenRequestSpec. */
export const tokenRequest = structDefaults<TokenRequest>({
  spec: always(structDefaults<TokenRequestSpec>({ expirationSeconds: 3600 })),
});
