import { createHmac, timingSafeEqual } from 'node:crypto';
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

const key = 'the key of worlds without sockets';

const partOf = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const tokenOf = (signed: string): string => `${signed}.${createHmac('sha512', key).update(signed).digest('base64url')}`;

/** The issuer of kubeadm's clusters. */
export const defaultIssuer = 'https://kubernetes.default.svc';

/**
 * Tokens of a world without sockets: the signature has the form of ES256 and depends on the token only, so that two runs are
 * equal. No request from outside can carry one.
 */
export const worldIdentities: Identities = {
  tokens: new Map(),
  anonymousAuth: true,
  issuers: [defaultIssuer],
  apiAudiences: [defaultIssuer],
  signJwt: async (claims) => tokenOf(`${partOf({ alg: 'ES256', kid: 'kadmit-world' })}.${partOf(claims)}`),
  verifyJwt: async ({ token }) => {
    const [given, right] = [Buffer.from(token), Buffer.from(tokenOf(token.slice(0, token.lastIndexOf('.'))))];
    return given.length === right.length && timingSafeEqual(given, right);
  },
};
