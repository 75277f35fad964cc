import { randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import type { Transformer } from './transformer.ts';

const nonceSize = 24;
const overhead = 16;

/** NaCl's secretbox, XSalsa20 and Poly1305. Follows apiserver pkg/storage/value/encrypt/secretbox/secretbox.go. */
export const secretbox = (key: Buffer): Transformer => ({
  toStorage: (data) => {
    const nonce = randomBytes(nonceSize);
    return Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(data)]);
  },
  fromStorage: (data) => {
    if (data.length < nonceSize + overhead) throw new Error('the stored data was shorter than the required size');
    const box = xsalsa20poly1305(key, data.subarray(0, nonceSize));
    try {
      return { data: Buffer.from(box.decrypt(data.subarray(nonceSize))), stale: false };
    } catch {
      // Upstream's words for a box that does not open.
      throw new Error('output array was not large enough for encryption');
    }
  },
});
