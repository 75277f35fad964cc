import { inside, structDefaults } from './struct-defaults.ts';

/** Follows the default markers of k8s.io/api certificates/v1beta1/types.go. */
export const podCertificateRequest = structDefaults('certificates.v1beta1.PodCertificateRequest', {
  spec: inside(structDefaults('certificates.v1beta1.PodCertificateRequestSpec', { maxExpirationSeconds: 86_400 })),
});

/** Follows kubernetes pkg/apis/resource/v1alpha3/defaults.go SetDefaults_ResourcePoolStatusRequestSpec. */
export const resourcePoolStatusRequest = structDefaults('resource.v1alpha3.ResourcePoolStatusRequest', {
  spec: inside(structDefaults('resource.v1alpha3.ResourcePoolStatusRequestSpec', { limit: 100 })),
});

/** Follows the default markers of k8s.io/api scheduling/v1alpha2/types.go. */
export const podGroup = structDefaults('scheduling.v1alpha2.PodGroup', {
  spec: inside(structDefaults('scheduling.v1alpha2.PodGroupSpec', { disruptionMode: 'Pod' })),
});
