import { asObject, asString } from '../../../machinery/json/json.ts';
import { readCertificateRequest } from '../../../api/validation/certificates/certificate-request.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { deny, byRule } from '../chain/refused-by.ts';
import { forResource, pass } from './handled-resource.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/**
 * Denies client CSRs for the group system:masters. Follows kubernetes
 * plugin/pkg/admission/certificates/subjectrestriction/admission.go (rule PLG-21).
 */
export const certificateSubjectRestriction: SyncPlugin = {
  name: 'CertificateSubjectRestriction',
  operations: ['CREATE'],
  validate: forResource({ group: 'certificates.k8s.io', resource: 'certificatesigningrequests' }, (request) => {
    const { signerName, request: encoded } = asObject(request.object.spec);
    if (signerName !== clientSigner) return pass(request);
    const reading = readCertificateRequest(asString(encoded));
    if (reading.outcome === 'corrupt') {
      return deny(
        request,
        `failed to parse CSR: ${reading.error}`,
        byRule('spec.request', 'a PKCS #10 request as PEM'),
      );
    }
    if (!reading.organizations.includes('system:masters')) return pass(request);
    return deny(
      request,
      `use of ${clientSigner} signer with system:masters group is not allowed`,
      byRule('spec.request', 'a subject without the organization system:masters'),
    );
  }),
};
