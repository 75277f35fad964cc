import { encodeBytes } from '../../machinery/go/base64-bytes.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { Identities } from './create-api.ts';

/** `kube-root-ca.crt` in a world without sockets. It signs nothing: its key does not exist. */
export const worldRootCa = `-----BEGIN CERTIFICATE-----
MIIBSDCB7qADAgECAgEBMAoGCCqGSM49BAMCMBoxGDAWBgNVBAMTD2thZG1pdC13
b3JsZC1jYTAgFw0yNTAxMDEwMDAwMDBaGA8yMTI1MDEwMTAwMDAwMFowGjEYMBYG
A1UEAxMPa2FkbWl0LXdvcmxkLWNhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
rA1z64e8N+ii/SGEqP0c3ZQyT+V94sNuz09ABWHrP67o6tIX1YN+60y/NCcSYbDH
3dkOQv1TNBiavy3lkGsk9aMjMCEwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8E
BAMCAgQwCgYIKoZIzj0EAwIDSQAwRgIhAK7yem/OIeJ9StYMz6L68cbAsajGxJ0b
ULOXX2RusiakAiEA02BplSedYv88KYOcgdakwKpa3XqN8WbUGf3rWzeBLws=
-----END CERTIFICATE-----
`;

/** Public: no request from outside can carry a token of a world. */
export const worldTokenKey = 'the key of worlds without sockets';

const base64url = (bytes: Uint8Array): string =>
  encodeBytes(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const partOf = (value: JsonObject): string => base64url(new TextEncoder().encode(JSON.stringify(value)));

/** The issuer of kubeadm's clusters. */
export const defaultIssuer = 'https://kubernetes.default.svc';

/**
 * Tokens of a world without sockets: the signature has the form of ES256 and depends on the token only, so that two runs are
 * equal.
 */
export function worldIdentities(signToken: (text: string) => Promise<Uint8Array>): Identities {
  const tokenOf = async (signed: string): Promise<string> => `${signed}.${base64url(await signToken(signed))}`;
  return {
    tokens: new Map(),
    anonymousAuth: true,
    issuers: [defaultIssuer],
    apiAudiences: [defaultIssuer],
    signJwt: (claims) => tokenOf(`${partOf({ alg: 'ES256', kid: 'kadmit-world' })}.${partOf(claims)}`),
    verifyJwt: async ({ token }) => token === (await tokenOf(token.slice(0, token.lastIndexOf('.')))),
  };
}
