import { type JWK, compactVerify } from 'jose';
import type { GoResult } from '../../../adapters/config/read-files.ts';
import type { Jwt } from '../../../apiserver/auth/jwt/jwt.ts';
import { algorithmFault, tokenFault } from '../../../apiserver/auth/jwt/id-token.ts';
import type { JwtIssuer } from '../../../apiserver/auth/jwt/jwt-authenticator.ts';
import { type JsonObject, asList, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { Agent, fetch } from 'undici';
import { errorText } from '../../../machinery/errors.ts';

interface Key {
  readonly id: string;
  readonly jwk: JWK;
}

/** `fault` resolves with undefined for a valid signature. */
export interface KeySet {
  readonly fault: (jwt: Jwt) => Promise<string | undefined>;
}

/** Keys this close to their expiry are fetched again. */
const renewedBefore = 30_000;
const wrongSignature = 'failed to verify id token signature';

/** The keys at a URL, cached as its response allows; a signature by an unknown key refreshes them. Follows go-oidc jwks.go. */
function createKeySet(url: string, client: IssuerClient, now: () => number): KeySet {
  let kept: readonly Key[] = [];
  let expiry = 0;
  let underWay: Promise<GoResult<readonly Key[]>> | undefined;
  const fetchKeys = async (): Promise<GoResult<readonly Key[]>> => {
    const answer = await client.get(url);
    if (!answer.ok) return { ok: false, error: `oidc: get keys failed ${answer.error}` };
    const keys = readKeys(answer.value.text);
    if (!keys) return { ok: false, error: `oidc: failed to decode keys: ${answer.value.text}` };
    kept = keys;
    expiry = now() + answer.value.maxAge;
    return { ok: true, value: keys };
  };
  return {
    fault: async (jwt) => {
      if (await isSigned(jwt, kept)) return undefined;
      if (now() + renewedBefore <= expiry) return wrongSignature;
      underWay ??= fetchKeys().finally(() => (underWay = undefined));
      const keys = await underWay;
      if (!keys.ok) return `fetching keys ${keys.error}`;
      return (await isSigned(jwt, keys.value)) ? undefined : wrongSignature;
    },
  };
}

function readKeys(text: string): readonly Key[] | undefined {
  const document = parsed(text);
  if (!isJsonObject(document)) return undefined;
  return asList(document['keys']).flatMap((jwk) => {
    if (!isJsonObject(jwk)) return [];
    return [{ id: asString(jwk['kid']), jwk: toPublicKey(jwk) }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The numbers alone: go-oidc tries a key whatever its `use`, `key_ops` and `alg`. */
function toPublicKey(jwk: JsonObject): JWK {
  const numbers = ['kty', 'crv', 'x', 'y', 'n', 'e'].filter((name) => typeof jwk[name] === 'string');
  return Object.fromEntries(numbers.map((name) => [name, asString(jwk[name])]));
}

async function isSigned({ token, keyId, algorithm }: Jwt, keys: readonly Key[]): Promise<boolean> {
  for (const { id, jwk } of keys) {
    if (keyId !== '' && keyId !== id) continue;
    const isRight = await compactVerify(token, jwk, { algorithms: [algorithm] }).then(
      () => true,
      () => false,
    );
    if (isRight) return true;
  }
  return false;
}

export interface SignedTokenChecks {
  readonly algorithms: readonly string[];
  readonly now: () => number;
}

/** undefined for a valid token. Follows go-oidc verify.go. */
export async function verifyToken(
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

/** The discovery URL of an issuer. */
export const discoveryUrl = (url: string): string => `${url.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** The keys of the issuer `url` with the discovery URL `at`. Follows go-oidc oidc.go NewProvider. */
export async function discoverKeys(
  url: string,
  at: string,
  client: IssuerClient,
  now: () => number,
): Promise<GoResult<KeySet>> {
  const answer = await client.get(at);
  if (!answer.ok) return answer;
  const document = parsed(answer.value.text);
  if (!isJsonObject(document)) return { ok: false, error: 'oidc: failed to decode provider discovery object' };
  const documentIssuer = asString(document['issuer']);
  if (documentIssuer !== url) {
    const error = `oidc: issuer did not match the issuer returned by provider, expected "${url}" got "${documentIssuer}"`;
    return { ok: false, error };
  }
  const keysUrl = asString(document['jwks_uri']);
  if (keysUrl === '') return { ok: false, error: 'provider did not return JWKS URL' };
  return { ok: true, value: createKeySet(keysUrl, client, now) };
}

/** Sends requests to an issuer, trusting the given CAs, or those of the system. */
export interface IssuerClient {
  readonly get: (url: string, accessToken?: string) => Promise<GoResult<Fetched>>;
  readonly close: () => Promise<void>;
}

interface Fetched {
  readonly text: string;
  /** Milliseconds that the response may be cached. */
  readonly maxAge: number;
}

const timeoutMs = 30_000;
const maxBytes = 1024 * 1024;

/** Follows apiserver plugin/pkg/authenticator/token/oidc/oidc.go. */
export function createIssuerClient(ca: string): IssuerClient {
  let opening: Promise<Opened> | undefined;
  return {
    get: async (url, accessToken = '') => {
      try {
        const headers = accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` };
        const { fetch, dispatcher } = await (opening ??= open(ca));
        const answer = await fetch(url, { dispatcher, headers, signal: AbortSignal.timeout(timeoutMs) });
        const text = await readBoundedText(answer.body);
        if (text === undefined) return { ok: false, error: `the answer of ${url} is longer than 1 MiB` };
        if (answer.status !== 200) return { ok: false, error: `${answer.status} ${answer.statusText}: ${text}` };
        const age = /max-age=(\d{1,9})/.exec(answer.headers.get('cache-control') ?? '')?.[1];
        return { ok: true, value: { text, maxAge: Number(age ?? 0) * 1000 } };
      } catch (error) {
        return { ok: false, error: `Get ${JSON.stringify(url)}: ${formatCause(error)}` };
      }
    },
    close: async () => (await opening)?.dispatcher.destroy(),
  };
}

interface Opened {
  readonly fetch: typeof fetch;
  readonly dispatcher: Agent;
}

/** Loaded on demand: most servers have no issuer, and a start would take a sixth longer. */
async function open(ca: string): Promise<Opened> {
  const { Agent: Dispatcher, fetch } = await import('undici');
  return { fetch, dispatcher: new Dispatcher({ connect: ca === '' ? {} : { ca } }) };
}

/** undici has the reason in the cause. */
const formatCause = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? errorText(error.cause) : errorText(error);

async function readBoundedText(body: AsyncIterable<Uint8Array> | null): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
