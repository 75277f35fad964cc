import { asList, asObject, asString, valueAt } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';

/**
 * Why a mirror pod, the shadow of a pod that a kubelet runs by itself, is refused: it may use nothing of the cluster's.
 * Follows kubernetes plugin/pkg/admission/serviceaccount/admission.go Validate.
 */
export function mirrorPodFault(spec: JsonObject): string | undefined {
  if (asString(spec['serviceAccountName']) !== '') return 'a mirror pod may not reference service accounts';
  if (referencesSecrets(spec)) return 'a mirror pod may not reference secrets';
  const projections = asList(spec['volumes']).flatMap((volume) => asList(valueAt(volume, 'projected', 'sources')));
  const usesToken = projections.some((source) => valueAt(source, 'serviceAccountToken') !== undefined);
  return usesToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}

/** Follows kubernetes pkg/api/pod/util.go VisitPodSecretNames. */
function referencesSecrets(spec: JsonObject): boolean {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => asList(spec[field]));
  return (
    asList(spec['imagePullSecrets']).length > 0 ||
    containers.map(asObject).some(containerReferencesSecrets) ||
    asList(spec['volumes']).map(asObject).some(volumeReferencesSecrets)
  );
}

const containerReferencesSecrets = ({ env, envFrom }: JsonObject): boolean =>
  asList(envFrom).some((source) => valueAt(source, 'secretRef') !== undefined) ||
  asList(env).some((variable) => valueAt(variable, 'valueFrom', 'secretKeyRef') !== undefined);

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

const volumeReferencesSecrets = (volume: JsonObject): boolean =>
  Object.entries(secretFields).some(([source, field]) => valueAt(volume, source, field) !== undefined) ||
  asList(valueAt(volume, 'projected', 'sources')).some((source) => valueAt(source, 'secret') !== undefined);
