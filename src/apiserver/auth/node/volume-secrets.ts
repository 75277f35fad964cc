import { asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';

/** Sources of volumes whose secret is in the namespace of the claim where none is said. */
const sources = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi'];
const alwaysSaid = ['cinder', 'storageos'];
/** Secrets of a driver that a kubelet reads; others are for its controllers. */
const ofKubelets = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

/** Does the PersistentVolume name this secret to kubelets? Follows kubernetes pkg/api/v1/persistentvolume/util.go VisitPVSecretNames. */
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
