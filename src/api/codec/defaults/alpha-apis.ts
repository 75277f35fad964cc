import { inside, structDefaults } from './struct-defaults.ts';
import type { PodCertificateRequest, PodCertificateRequestSpec } from '../../types/generated/certificates-v1beta1.ts';
import type {
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestSpec,
} from '../../types/generated/resource-v1alpha3.ts';
import type { PodGroup, PodGroupSpec } from '../../types/generated/scheduling-v1alpha2.ts';

/** Follows the default markers of k8s.io/api certificates/v1beta1/types.go. */
export const podCertificateRequest = structDefaults<PodCertificateRequest>({
  spec: inside(structDefaults<PodCertificateRequestSpec>({ maxExpirationSeconds: 86_400 })),
});

/** Follows kubernetes pkg/apis/resource/v1alpha3/defaults.go SetDefaults_ResourcePoolStatusRequestSpec. */
export const resourcePoolStatusRequest = structDefaults<ResourcePoolStatusRequest>({
  spec: inside(structDefaults<ResourcePoolStatusRequestSpec>({ limit: 100 })),
});

/** Follows the default markers of k8s.io/api scheduling/v1alpha2/types.go. */
export const podGroup = structDefaults<PodGroup>({
  spec: inside(structDefaults<PodGroupSpec>({ disruptionMode: 'Pod' })),
});
