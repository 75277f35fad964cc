import { asList, asString, valueAt } from '../../../../machinery/json/json.ts';
import type { Container, EphemeralContainer, PodSpec, Volume } from '../../../../api/types/generated/core-v1.ts';

/**
 * Why a mirror pod, the shadow of a pod that a kubelet runs by itself, is refused: it may use nothing of the cluster's.
 * Follows kubernetes plugin/pkg/admission/serviceaccount/admission.go Validate.
 */
export function mirrorPodFault(spec: PodSpec): string | undefined {
  if (asString(spec.serviceAccountName) !== '') return 'a mirror pod may not reference service accounts';
  if (referencesSecrets(spec)) return 'a mirror pod may not reference secrets';
  const projections = asList(spec.volumes).flatMap((volume) => asList(volume.projected?.sources));
  const usesToken = projections.some((source) => source.serviceAccountToken !== undefined);
  return usesToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}

/** Follows kubernetes pkg/api/pod/util.go VisitPodSecretNames. */
function referencesSecrets(spec: PodSpec): boolean {
  const containers = [...asList(spec.initContainers), ...asList(spec.containers), ...asList(spec.ephemeralContainers)];
  return (
    asList(spec.imagePullSecrets).length > 0 ||
    containers.some(containerReferencesSecrets) ||
    asList(spec.volumes).some(volumeReferencesSecrets)
  );
}

const containerReferencesSecrets = ({ env, envFrom }: Container | EphemeralContainer): boolean =>
  asList(envFrom).some(({ secretRef }) => secretRef !== undefined) ||
  asList(env).some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined);

/** The volume sources that name a secret, and the field that does. */
const secretFields: Readonly<Record<string, string>> = {
  azureFile: 'secretName',
  cephfs: 'secretRef',
  cinder: 'secretRef',
  csi: 'nodePublishSecretRef',
  flexVolume: 'secretRef',
  iscsi: 'secretRef',
  rbd: 'secretRef',
  scaleIO: 'secretRef',
  secret: 'secretName',
  storageos: 'secretRef',
};

const volumeReferencesSecrets = (volume: Volume): boolean =>
  Object.entries(secretFields).some(([source, field]) => valueAt(volume, source, field) !== undefined) ||
  asList(volume.projected?.sources).some(({ secret }) => secret !== undefined);
