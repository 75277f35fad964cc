import { goQuote } from '../../../machinery/meta/field-error.ts';
import { asString, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import type { Jwt } from './jwt.ts';
import { type JwtIssuer, goJsonTypeOf } from './jwt-authenticator.ts';

/** Signature algorithms that tokens may use. */
export const validAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
] as const;

/** Claims that must be strings. */
const texts = ['iss', 'sub', 'nonce', 'at_hash'];

const google = 'https://accounts.google.com';

/** The claimed issuer, unverified. */
export const untrustedIssuer = ({ claims }: Jwt): string => {
  const issuer = typeof claims['iss'] === 'string' ? claims['iss'] : '';
  return issuer === 'accounts.google.com' ? google : issuer;
};

export const algorithmFault = ({ algorithm }: Jwt, supported: readonly string[]): string | undefined =>
  supported.includes(algorithm)
    ? undefined
    : `oidc: id token signed with unsupported algorithm, expected [${supported.map(goQuote).join(' ')}] got ${goQuote(algorithm)}`;

/** Checks a token with a valid signature. Follows go-oidc verify.go and oidc.go verifyAudience. */
export function tokenFault({ claims }: Jwt, { url, audiences }: JwtIssuer, now: number): string | undefined {
  const form = formFault(claims);
  if (form !== undefined) return form;
  const claimed = audiencesOf(claims['aud']);
  const issuer = asString(claims['iss']);
  if (issuer !== url && !(url === google && issuer === 'accounts.google.com')) {
    return `oidc: id token issued by a different provider, expected ${goQuote(url)} got ${goQuote(issuer)}`;
  }
  const [only] = audiences;
  if (audiences.length === 1 && !claimed.includes(only ?? '')) {
    return `oidc: expected audience ${goQuote(only ?? '')} got ${list(claimed)}`;
  }
  const time = timeFault(claims, now);
  if (time !== undefined) return time;
  if (audiences.some((audience) => claimed.includes(audience))) return undefined;
  return `oidc: expected audience in ${list(audiences.toSorted())} got ${list(claimed)}`;
}

function formFault(claims: JsonObject): string | undefined {
  const wrong = texts.find((name) => typeof (claims[name] ?? '') !== 'string');
  if (wrong === undefined) return undefined;
  const word = goJsonTypeOf(claims[wrong] ?? null);
  return `oidc: failed to unmarshal claims: json: cannot unmarshal ${word} into Go struct field idToken.${wrong} of type string`;
}

function timeFault(claims: JsonObject, now: number): string | undefined {
  const expiry = secondsOf(claims['exp']) ?? 0;
  if (expiry * 1000 < now) return `oidc: token is expired (Token Expiry: ${goTime(expiry)})`;
  const notBefore = secondsOf(claims['nbf']);
  if (notBefore !== undefined && now + 60_000 < notBefore * 1000) {
    return `oidc: current time ${goTime(now / 1000)} before the nbf (not before) time: ${goTime(notBefore)}`;
  }
  return undefined;
}

const audiencesOf = (value: JsonValue | undefined): readonly string[] => {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
};

const secondsOf = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' ? Math.trunc(value) : undefined;

const list = (values: readonly string[]): string => `[${values.map(goQuote).join(' ')}]`;

const goTime = (seconds: number): string =>
  `${formatTime(Math.trunc(seconds) * 1000)
    .replace('T', ' ')
    .replace('Z', '')} +0000 UTC`;

/** A distributed claim: its endpoint and token. */
export interface ClaimSource {
  readonly endpoint: string;
  readonly accessToken: string;
}

export function claimSource(claim: string, claims: JsonObject): ClaimSource | undefined {
  const names = claims['_claim_names'];
  const sources = claims['_claim_sources'];
  if (Object.hasOwn(claims, claim) || !isJsonObject(names) || !isJsonObject(sources)) return undefined;
  const source = sources[asString(names[claim])];
  if (!isJsonObject(source) || typeof source['endpoint'] !== 'string' || source['endpoint'] === '') return undefined;
  const accessToken = typeof source['access_token'] === 'string' ? source['access_token'] : '';
  return { endpoint: source['endpoint'], accessToken };
}
