import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A key that signs nothing else: the same seed makes the same tokens. */
const jwk: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('signing-key.json', import.meta.url), 'utf8'),
);
const key = createPrivateKey({ key: jwk, format: 'jwk' });

export const signingKeyPem = key.export({ type: 'pkcs1', format: 'pem' }).toString();

const toBase64Url = (text: string): string => Buffer.from(text).toString('base64url');

/** A token of these two texts with a valid signature. */
export function signToken(header: string, claims: string): string {
  const text = `${toBase64Url(header)}.${toBase64Url(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
