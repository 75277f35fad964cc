import { asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { GoResult } from '../../../adapters/config/read-files.ts';
import { createKeySet, type KeySet } from './key-set.ts';
import type { IssuerClient } from './fetch-json.ts';

interface DiscoveryPorts {
  readonly client: IssuerClient;
  readonly now: () => number;
}

/** The discovery URL of an issuer. */
export const wellKnown = (url: string): string => `${url.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** The keys of the issuer `url` with the discovery URL `at`. Follows go-oidc oidc.go NewProvider. */
export async function discoverKeys(
  url: string,
  at: string,
  { client, now }: DiscoveryPorts,
): Promise<GoResult<KeySet>> {
  const answer = await client.get(at);
  if (!answer.ok) return answer;
  const document = parsed(answer.value.text);
  if (!isJsonObject(document)) return { ok: false, error: 'oidc: failed to decode provider discovery object' };
  const said = asString(document['issuer']);
  if (said !== url) {
    const error = `oidc: issuer did not match the issuer returned by provider, expected "${url}" got "${said}"`;
    return { ok: false, error };
  }
  const keysUrl = asString(document['jwks_uri']);
  if (keysUrl === '') return { ok: false, error: 'provider did not return JWKS URL' };
  return { ok: true, value: createKeySet(keysUrl, client, now) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
