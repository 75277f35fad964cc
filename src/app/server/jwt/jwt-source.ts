import type { TokenSource, TokenVerdict } from '../../../apiserver/auth/bearer-token.ts';
import { decodeJwt } from '../../../apiserver/auth/jwt.ts';
import { untrustedIssuer } from '../../../apiserver/auth/jwt/id-token.ts';
import type { JwtAuthenticator } from '../../../apiserver/auth/jwt/jwt-authenticator.ts';
import { type EvaluateClaims, userOfClaims } from '../../../apiserver/auth/jwt/user-of-claims.ts';
import { createIssuerClient } from './fetch-json.ts';
import { createDistributedClaims } from './distributed-claims.ts';
import { discoverKeys, wellKnown } from './key-set.ts';
import { checkedToken, type KeySet, type SignedTokenChecks } from './key-set.ts';

export interface JwtPorts extends SignedTokenChecks {
  readonly evaluate: EvaluateClaims;
  readonly apiAudiences: readonly string[];
  readonly logError: (line: string) => void;
}

export interface JwtSource {
  readonly source: TokenSource;
  readonly close: () => void;
}

const retryMs = 10_000;

/**
 * Fetches the keys of the issuer, with retries; refuses its tokens until then.
 * Follows apiserver plugin/pkg/authenticator/token/oidc/oidc.go New.
 */
export function openJwtSource(authenticator: JwtAuthenticator, ports: JwtPorts): JwtSource {
  const { issuer } = authenticator;
  const client = createIssuerClient(issuer.certificateAuthority);
  let keys: KeySet | undefined;
  let again: NodeJS.Timeout | undefined;
  let isClosed = false;
  const begin = async (): Promise<void> => {
    const found = await discoverKeys(issuer.url, issuer.discoveryURL || wellKnown(issuer.url), client, ports.now);
    if (isClosed) return;
    if (found.ok) keys = found.value;
    else {
      ports.logError(`oidc authenticator: initializing plugin: ${found.error}`);
      again = setTimeout(() => void begin(), retryMs).unref();
    }
  };
  void begin();
  const withDistributed = createDistributedClaims(authenticator, client, ports);
  return {
    source: async (token, audiences, jwt = decodeJwt(token)) => {
      if (!jwt || untrustedIssuer(jwt) !== issuer.url) return undefined;
      const served = ports.apiAudiences.filter((audience) => audiences.includes(audience));
      if (served.length === 0) return undefined;
      if (!keys) return invalid('oidc: authenticator not initialized');
      const fault = await checkedToken(jwt, keys, issuer, ports);
      if (fault !== undefined) return invalid(`oidc: verify token: ${fault}`);
      const claims = await withDistributed(jwt.claims);
      if (!claims.ok) return invalid(`oidc: could not expand distributed claims: ${claims.error}`);
      const user = userOfClaims(claims.value, authenticator, ports.evaluate);
      return user.ok ? { outcome: 'verified', user: user.value, audiences: served } : invalid(user.error);
    },
    close: () => {
      isClosed = true;
      clearTimeout(again);
      void client.close();
    },
  };
}

const invalid = (error: string): TokenVerdict => ({ outcome: 'invalid', error });
