import { goQuote } from '../../../machinery/meta/field-error.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { newForbidden } from '../chain/forbidden.ts';
import type { AsyncPlugin } from '../chain/plugin.ts';
import { refusedBy } from '../chain/refused-by.ts';
import { onlyFor, pass } from './handled-resource.ts';
import { bySigner, maySign, signerOf } from './signer-permission.ts';

/**
 * Approving a CSR needs `approve` on its signer. Follows kubernetes
 * plugin/pkg/admission/certificates/approval/admission.go (rule PLG-21).
 */
export const certificateApproval: AsyncPlugin = {
  name: 'CertificateApproval',
  operations: ['UPDATE'],
  validate: onlyFor(
    [{ group: 'certificates.k8s.io', resource: 'certificatesigningrequests' }],
    async (request: AdmissionAttributes, { authorize }) => {
      const { resource, subresource, oldObject, userInfo } = request;
      const isApproval =
        resource.group === 'certificates.k8s.io' &&
        resource.resource === 'certificatesigningrequests' &&
        subresource === 'approval';
      if (!isApproval) return pass(request);
      const signer = signerOf(oldObject);
      if (await maySign(authorize, userInfo, 'approve', signer)) return pass(request);
      const status = newForbidden(request, `user not permitted to approve requests with signerName ${goQuote(signer)}`);
      return refusedBy(request, status, bySigner(userInfo, 'approve', signer));
    },
  ),
};
