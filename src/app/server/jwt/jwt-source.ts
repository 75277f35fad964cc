import type { GoResult } from '../../../adapters/config/read-files.ts';
import type { TokenSource, TokenVerdict } from '../../../apiserver/auth/bearer-token.ts';
import { decodeJwt } from '../../../apiserver/auth/jwt/jwt.ts';
import { type ClaimSource, claimSource, untrustedIssuer } from '../../../apiserver/auth/jwt/id-token.ts';
import {
  type JwtAuthenticator,
  type EvaluateClaims,
  mapClaims,
} from '../../../apiserver/auth/jwt/jwt-authenticator.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import {
  createIssuerClient,
  type IssuerClient,
  verifyToken,
  discoverKeys,
  type KeySet,
  type SignedTokenChecks,
  discoveryUrl,
} from './issuer-keys.ts';

interface JwtPorts extends SignedTokenChecks {
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
    const found = await discoverKeys(issuer.url, issuer.discoveryURL || discoveryUrl(issuer.url), client, ports.now);
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
      const fault = await verifyToken(jwt, keys, issuer, ports);
      if (fault !== undefined) return invalid(`oidc: verify token: ${fault}`);
      const claims = await withDistributed(jwt.claims);
      if (!claims.ok) return invalid(`oidc: could not expand distributed claims: ${claims.error}`);
      const user = mapClaims(claims.value, authenticator, ports.evaluate);
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

/** The number of cached issuers of distributed claims. */
const maxIssuers = 16;

/**
 * Adds the groups claim from another endpoint, which returns it in a token of its own.
 * Follows apiserver plugin/pkg/authenticator/token/oidc/oidc.go claimResolver.
 */
function createDistributedClaims(
  { issuer, claimMappings }: JwtAuthenticator,
  client: IssuerClient,
  checks: SignedTokenChecks,
): (claims: JsonObject) => Promise<GoResult<JsonObject>> {
  const { claim } = claimMappings.groups;
  const others = new Map<string, KeySet>();
  const keysOf = async (url: string): Promise<GoResult<KeySet>> => {
    const known = others.get(url);
    if (known) return { ok: true, value: known };
    const found = await discoverKeys(url, discoveryUrl(url), client, checks.now);
    if (found.ok && others.size < maxIssuers) others.set(url, found.value);
    return found;
  };
  const fetchClaim = async (from: ClaimSource, claims: JsonObject): Promise<GoResult<JsonObject>> => {
    const fetched = await client.get(from.endpoint, from.accessToken);
    if (!fetched.ok) return { ok: false, error: `while getting distributed claim "${claim}": ${fetched.error}` };
    const jwt = decodeJwt(fetched.value.text.trim());
    if (!jwt) return { ok: false, error: 'verify distributed claim token: oidc: malformed jwt' };
    const url = untrustedIssuer(jwt);
    const keys = await keysOf(url);
    if (!keys.ok) return { ok: false, error: `verifying untrusted issuer ${url} failed: ${keys.error}` };
    const fault = await verifyToken(jwt, keys.value, { ...issuer, url }, checks);
    if (fault !== undefined) return { ok: false, error: `verify distributed claim token: ${fault}` };
    const value = jwt.claims[claim];
    if (value !== undefined) return { ok: true, value: { ...claims, [claim]: value } };
    return {
      ok: false,
      error: `jwt returned by distributed claim endpoint "${from.endpoint}" did not contain claim: ${claim}`,
    };
  };
  return async (claims) => {
    const from = claim === '' ? undefined : claimSource(claim, claims);
    return from ? fetchClaim(from, claims) : { ok: true, value: claims };
  };
}
