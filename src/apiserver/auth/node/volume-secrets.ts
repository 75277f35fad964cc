import { asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';

/** Volume sources whose secret defaults to the namespace of the claim. */
const sources = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi'];
const alwaysSaid = ['cinder', 'storageos'];
/** CSI secrets for kubelets; the others are for controllers. */
const ofKubelets = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

/** Follows kubernetes pkg/api/v1/persistentvolume/util.go VisitPVSecretNames. */
export function volumeNamesSecret({ spec: own }: KubernetesObject, namespace: string, name: string): boolean {
  const spec = asObject(own);
  const claimed = asString(valueAt(spec, 'claimRef', 'namespace'));
  const isIt = (secret: JsonObject, elsewhere = ''): boolean =>
    secret['name'] === name && (asString(secret['namespace']) || elsewhere) === namespace;
  const { secretName, secretNamespace } = asObject(spec['azureFile']);
  return (
    isIt({ name: secretName, namespace: secretNamespace }, claimed) ||
    sources.some((source) => isIt(secretOf(spec, source, 'secretRef'), claimed)) ||
    alwaysSaid.some((source) => isIt(secretOf(spec, source, 'secretRef'))) ||
    ofKubelets.some((field) => isIt(secretOf(spec, 'csi', field)))
  );
}

const secretOf = (spec: JsonObject, source: string, field: string): JsonObject =>
  asObject(asObject(spec[source])[field]);
