import type { Authorize } from '../../auth/authorizer.ts';
import type { UserInfo } from '../../auth/user.ts';

/**
 * May the user do this for the signer, or for all signers of its domain?
 * Follows kubernetes plugin/pkg/admission/certificates/util.go IsAuthorizedForSignerName.
 */
export function maySign(
  authorize: Authorize,
  user: UserInfo,
  verb: 'approve' | 'sign' | 'attest',
  signerName: string,
): boolean {
  const names = [signerName, `${signerName.split('/')[0] ?? ''}/*`];
  return names.some((name) => authorize({ ...signers, type: 'resource', user, verb, name }).allowed);
}

const signers = {
  group: 'certificates.k8s.io',
  version: '*',
  resource: 'signers',
  subresource: '',
  namespace: '',
} as const;
