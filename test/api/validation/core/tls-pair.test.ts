import { expect, test } from 'vitest';
import {
  issueCertificate,
  type KeyedCertificate,
  type KeyType,
} from '../../../../src/adapters/certificates/issue-certificate.ts';
import { tlsPairWarnings } from '../../../../src/api/validation/core/tls-pair.ts';

const issue = (keyType: KeyType): Promise<KeyedCertificate> =>
  issueCertificate({
    commonName: 'c',
    purpose: 'server',
    keyType,
    notBefore: new Date('2026-01-01T00:00:00Z'),
    notAfter: new Date('2036-01-01T00:00:00Z'),
  });
const [one, other, rsa, otherRsa] = await Promise.all([issue('ec'), issue('ec'), issue('rsa'), issue('rsa')]);

const block = (type: string): string => `-----BEGIN ${type}-----\naGVsbG8=\n-----END ${type}-----\n`;
const warned = (certificate: string, key: string, type = 'kubernetes.io/tls'): readonly string[] =>
  tlsPairWarnings({
    apiVersion: 'v1',
    kind: 'Secret',
    type,
    data: { 'tls.crt': btoa(certificate), 'tls.key': btoa(key) },
  });

// Recorded beside kube-apiserver v1.36.2; Go's crypto/tls X509KeyPair.
test.each<[what: string, certificate: string, key: string, warnings: readonly string[]]>([
  ['a pair', one.certificate, one.key, []],
  ['a pair of RSA', rsa.certificate, rsa.key, []],
  ['a chain', other.certificate + one.certificate, other.key, []],
  ['another key behind other blocks', one.certificate, block('FOO') + one.key, []],
  ['the key of another', one.certificate, other.key, ['tls: private key does not match public key']],
  ['the RSA key of another', rsa.certificate, otherRsa.key, ['tls: private key does not match public key']],
  ['nothing', '', '', ['tls: failed to find any PEM data in certificate input']],
  ['no key', one.certificate, 'y', ['tls: failed to find any PEM data in key input']],
  [
    'the two the wrong way round',
    one.key,
    one.certificate,
    [
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
  ],
  [
    'a certificate for a key',
    one.certificate,
    one.certificate,
    ['tls: found a certificate rather than a key in the PEM for the private key'],
  ],
  ['a certificate that is none', block('CERTIFICATE'), one.key, ['x509: malformed certificate']],
  ['a key that is none', one.certificate, block('PRIVATE KEY'), ['tls: failed to parse private key']],
  [
    'other blocks',
    block('FOO') + block('BAR'),
    one.key,
    [
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [FOO BAR]',
    ],
  ],
  [
    'other blocks for a key',
    one.certificate,
    block('FOO'),
    [
      'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [FOO]',
    ],
  ],
])('a TLS Secret of %s', (_what, certificate, key, warnings) => {
  expect(warned(certificate, key)).toEqual(warnings);
});

test('a Secret of another type is not looked at', () => {
  expect(warned('', '', 'Opaque')).toEqual([]);
});

/** DER with a length of four bytes. */
const der = (tag: number, content: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), length, content]);
};

// Source: Go's crypto/x509 ParsePKCS8PrivateKey: what is wrapped is a key, not another wrapping.
test('a key of PKCS 8 that wraps others by the thousand', () => {
  let inside = der(0x30, Buffer.alloc(0));
  for (let depth = 0; depth < 8000; depth += 1)
    inside = der(0x30, Buffer.concat([der(2, Buffer.from([0])), der(0x30, Buffer.alloc(0)), der(4, inside)]));
  const key = `-----BEGIN PRIVATE KEY-----\n${inside.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  expect(warned(one.certificate, key)).toEqual(['tls: failed to parse private key']);
});
