import { algorithmFault, tokenFault } from '../../../apiserver/auth/jwt/id-token.ts';
import type { JwtIssuer } from '../../../apiserver/auth/jwt/jwt-authenticator.ts';
import type { Jwt } from '../../../apiserver/auth/jwt.ts';
import type { KeySet } from './key-set.ts';

export interface SignedTokenChecks {
  readonly algorithms: readonly string[];
  readonly now: () => number;
}

/** What is wrong with a token of this issuer; undefined when it is right. Follows go-oidc verify.go. */
export async function checkedToken(
  jwt: Jwt,
  keys: KeySet,
  issuer: JwtIssuer,
  { algorithms, now }: SignedTokenChecks,
): Promise<string | undefined> {
  const algorithm = algorithmFault(jwt, algorithms);
  if (algorithm !== undefined) return algorithm;
  const signature = await keys.fault(jwt);
  return signature === undefined ? tokenFault(jwt, issuer, now()) : `failed to verify signature: ${signature}`;
}
