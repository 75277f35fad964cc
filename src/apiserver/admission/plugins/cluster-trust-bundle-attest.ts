import { goQuote } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asString } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { newForbidden } from '../chain/forbidden.ts';
import type { AsyncPlugin, PluginPorts } from '../chain/plugin.ts';
import { refusedBy } from '../chain/refused-by.ts';
import { onlyFor, pass } from './handled-resource.ts';
import { bySigner, maySign } from './signer-permission.ts';
import type { ClusterTrustBundle } from '../../../api/types/generated/certificates-v1.ts';

const bundles = { group: 'certificates.k8s.io', resource: 'clustertrustbundles' };

const writesBundle = ({ resource: { group, resource }, subresource }: AdmissionAttributes): boolean =>
  group === bundles.group && resource === bundles.resource && subresource === '';

/**
 * Writing the bundle of a signer needs `attest` on it. Follows kubernetes
 * plugin/pkg/admission/certificates/ctbattest/admission.go.
 */
export const clusterTrustBundleAttest: AsyncPlugin = {
  name: 'ClusterTrustBundleAttest',
  operations: ['CREATE', 'UPDATE'],
  validate: onlyFor([bundles], async (request: AdmissionAttributes, { authorize }: PluginPorts) => {
    const { oldObject, userInfo } = request;
    const object: ClusterTrustBundle | null = request.object;
    if (!writesBundle(request) || object === null) return pass(request);
    const signer = asString(object.spec?.signerName);
    if (signer === '' || (oldObject !== null && sameJson(stored(object), stored(oldObject)))) return pass(request);
    if (await maySign(authorize, userInfo, 'attest', signer)) return pass(request);
    const status = newForbidden(request, `user not permitted to attest for signerName ${goQuote(signer)}`);
    return refusedBy(request, status, bySigner(userInfo, 'attest', signer));
  }),
};

/** Without what the garbage collector or a storage migration changes. */
function stored(object: KubernetesObject): KubernetesObject {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}
