import { inside, structDefaults } from './struct-defaults.ts';

/** Follows the default markers of k8s.io/api certificates/v1beta1/types.go. */
export const podCertificateRequest = structDefaults({
  spec: inside(structDefaults({ maxExpirationSeconds: 86_400 })),
});

/** Follows kubernetes pkg/apis/resource/v1alpha3/defaults.go SetDefaults_ResourcePoolStatusRequestSpec. */
export const resourcePoolStatusRequest = structDefaults({
  spec: inside(structDefaults({ limit: 100 })),
});

/** Follows the default markers of k8s.io/api scheduling/v1alpha2/types.go. */
export const podGroup = structDefaults({
  spec: inside(structDefaults({ disruptionMode: 'Pod' })),
});
