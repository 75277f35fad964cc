import { decodeJwt } from '../../../apiserver/auth/jwt.ts';
import { type ClaimSource, claimSource, untrustedIssuer } from '../../../apiserver/auth/jwt/id-token.ts';
import type { JwtAuthenticator } from '../../../apiserver/auth/jwt/jwt-authenticator.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { GoResult } from '../../../adapters/config/read-files.ts';
import { checkedToken, type KeySet, type SignedTokenChecks } from './key-set.ts';
import { discoverKeys, wellKnown } from './key-set.ts';
import type { IssuerClient } from './fetch-json.ts';

/** The number of cached issuers of distributed claims. */
const mostIssuers = 16;

/**
 * Adds the groups claim from another endpoint, which returns it in a token of its own.
 * Follows apiserver plugin/pkg/authenticator/token/oidc/oidc.go claimResolver.
 */
export function createDistributedClaims(
  { issuer, claimMappings }: JwtAuthenticator,
  client: IssuerClient,
  checks: SignedTokenChecks,
): (claims: JsonObject) => Promise<GoResult<JsonObject>> {
  const { claim } = claimMappings.groups;
  const others = new Map<string, KeySet>();
  const keysOf = async (url: string): Promise<GoResult<KeySet>> => {
    const known = others.get(url);
    if (known) return { ok: true, value: known };
    const found = await discoverKeys(url, wellKnown(url), client, checks.now);
    if (found.ok && others.size < mostIssuers) others.set(url, found.value);
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
    const fault = await checkedToken(jwt, keys.value, { ...issuer, url }, checks);
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
