import { asObject, asString } from '../../../machinery/json/json.ts';
import { readCertificateRequest } from '../../../api/validation/certificates/certificate-request.ts';
import { newForbidden } from '../chain/forbidden.ts';
import type { BuiltinPlugin } from '../chain/plugin.ts';
import { byRule, refusedBy } from '../chain/refused-by.ts';
import { forResource, pass } from './handled-resource.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/**
 * Denies client CSRs for the group system:masters. Follows kubernetes
 * plugin/pkg/admission/certificates/subjectrestriction/admission.go (rule PLG-21).
 */
export const certificateSubjectRestriction: BuiltinPlugin = {
  name: 'CertificateSubjectRestriction',
  operations: ['CREATE'],
  validate: forResource({ group: 'certificates.k8s.io', resource: 'certificatesigningrequests' }, (request) => {
    const { signerName, request: encoded } = asObject(request.object.spec);
    if (signerName !== clientSigner) return pass(request);
    const reading = readCertificateRequest(asString(encoded));
    if (reading.outcome === 'corrupt') {
      const status = newForbidden(request, `failed to parse CSR: ${reading.error}`);
      return refusedBy(request, status, byRule('spec.request', 'a PKCS #10 request as PEM'));
    }
    if (!reading.organizations.includes('system:masters')) return pass(request);
    const status = newForbidden(request, `use of ${clientSigner} signer with system:masters group is not allowed`);
    return refusedBy(request, status, byRule('spec.request', 'a subject without the organization system:masters'));
  }),
};
