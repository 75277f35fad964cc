import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { CipherGCMTypes } from 'node:crypto';
import type { Transformer } from './transformer.ts';

const tooShort = 'the stored data was shorter than the required size';
const blockSize = 16;
const nonceSize = 12;
const tagSize = 16;

/** AES-CBC with PKCS#7 padding; the vector stands in front. Follows apiserver pkg/storage/value/encrypt/aes/aes.go. */
export function aesCbc(key: Buffer): Transformer {
  const algorithm = `aes-${key.length * 8}-cbc`;
  return {
    toStorage: (data) => {
      const vector = randomBytes(blockSize);
      const cipher = createCipheriv(algorithm, key, vector);
      return Buffer.concat([vector, cipher.update(data), cipher.final()]);
    },
    fromStorage: (data) => {
      if (data.length < blockSize) throw new Error(tooShort);
      const body = data.subarray(blockSize);
      if (body.length % blockSize !== 0) throw new Error('the stored data is not a multiple of the block size');
      const decipher = createDecipheriv(algorithm, key, data.subarray(0, blockSize)).setAutoPadding(false);
      return { data: unpadded(Buffer.concat([decipher.update(body), decipher.final()])), stale: false };
    },
  };
}

function unpadded(data: Buffer): Buffer {
  const padding = data.at(-1) ?? 0;
  if (padding === 0 || padding > data.length) throw new Error('invalid PKCS7 data (empty or not padded)');
  const size = data.length - padding;
  if (data.subarray(size).some((byte) => byte !== padding)) throw new Error('invalid padding on input');
  return data.subarray(0, size);
}

/** AES-GCM with a random nonce in front; where the value lies is authenticated. Follows the same file. */
export function aesGcm(key: Buffer): Transformer {
  // The sizes of keys that are let in are those of these names.
  const algorithm = `aes-${key.length * 8}-gcm` as CipherGCMTypes;
  return {
    toStorage: (data, path) => {
      const nonce = randomBytes(nonceSize);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(path));
      return Buffer.concat([nonce, cipher.update(data), cipher.final(), cipher.getAuthTag()]);
    },
    fromStorage: (data, path) => {
      if (data.length < nonceSize) throw new Error(tooShort);
      const [nonce, end] = [data.subarray(0, nonceSize), data.length - tagSize];
      if (end < nonceSize) throw new Error(unauthentic);
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagSize })
        .setAAD(Buffer.from(path))
        .setAuthTag(data.subarray(end));
      const opened = decipher.update(data.subarray(nonceSize, end));
      try {
        return { data: Buffer.concat([opened, decipher.final()]), stale: false };
      } catch {
        throw new Error(unauthentic);
      }
    },
  };
}

const unauthentic = 'cipher: message authentication failed';
