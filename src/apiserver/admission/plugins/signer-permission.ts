import { asString } from '../../../machinery/json/json.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import type { UserInfo } from '../../auth/user.ts';
import type { CertificateSigningRequest } from '../../../api/types/generated/certificates-v1.ts';
import type { RefusalSource } from '../chain/plugin.ts';
import { byPermission } from '../chain/refused-by.ts';

/**
 * Checks the signer, then all signers of its domain. Follows kubernetes plugin/pkg/admission/certificates/util.go
 * IsAuthorizedForSignerName.
 */
export async function maySign(
  authorize: Authorize,
  user: UserInfo,
  verb: SignerVerb,
  signerName: string,
): Promise<boolean> {
  for (const name of [signerName, `${signerName.split('/')[0] ?? ''}/*`]) {
    const { allowed } = await authorize({ ...signers, type: 'resource', user, verb, name });
    if (allowed) return true;
  }
  return false;
}

type SignerVerb = 'approve' | 'sign' | 'attest';

export const signerOf = (request: CertificateSigningRequest | null): string => asString(request?.spec?.signerName);

export const bySigner = ({ username }: UserInfo, verb: SignerVerb, signerName: string): RefusalSource =>
  byPermission(username, `${verb} signers.certificates.k8s.io/${signerName}`, 'spec.signerName');

const signers = {
  group: 'certificates.k8s.io',
  version: '*',
  resource: 'signers',
  subresource: '',
  namespace: '',
} as const;
