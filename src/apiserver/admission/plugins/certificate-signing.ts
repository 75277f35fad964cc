import { goQuote } from '../../../machinery/meta/field-error.ts';
import { asObject } from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { newForbidden } from '../chain/forbidden.ts';
import type { AsyncPlugin } from '../chain/plugin.ts';
import { refusedBy } from '../chain/refused-by.ts';
import { onlyFor, pass } from './handled-resource.ts';
import { bySigner, maySign, signerOf } from './signer-permission.ts';
import type { CertificateSigningRequest } from '../../../api/types/generated/certificates-v1.ts';

/**
 * Writing a certificate or its conditions needs `sign` on its signer. Follows kubernetes
 * plugin/pkg/admission/certificates/signing/admission.go (rule PLG-21).
 */
export const certificateSigning: AsyncPlugin = {
  name: 'CertificateSigning',
  operations: ['UPDATE'],
  validate: onlyFor(
    [{ group: 'certificates.k8s.io', resource: 'certificatesigningrequests' }],
    async (request: AdmissionAttributes, { authorize }) => {
      const { resource, subresource, object, oldObject, userInfo } = request;
      const isStatus =
        resource.group === 'certificates.k8s.io' &&
        resource.resource === 'certificatesigningrequests' &&
        subresource === 'status';
      if (!isStatus || sameOutcome(object, oldObject)) return pass(request);
      const signer = signerOf(oldObject);
      if (await maySign(authorize, userInfo, 'sign', signer)) return pass(request);
      const status = newForbidden(request, `user not permitted to sign requests with signerName ${goQuote(signer)}`);
      return refusedBy(request, status, bySigner(userInfo, 'sign', signer));
    },
  ),
};

function sameOutcome(object: CertificateSigningRequest | null, oldObject: CertificateSigningRequest | null): boolean {
  const [status, old] = [asObject(object?.status), asObject(oldObject?.status)];
  return sameJson(status.certificate, old.certificate) && sameJson(status.conditions, old.conditions);
}
