import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { issueCertificate } from '../../../src/adapters/certificates/issue-certificate.ts';
import { readClientCa, readServingPair } from '../../../src/app/server/tls-files.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();

const valid = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
const [one, other] = await Promise.all([
  issueCertificate({ commonName: 'a', purpose: 'server', ...valid }),
  issueCertificate({ commonName: 'b', purpose: 'server', ...valid }),
]);
const block = (type: string): string => `-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`;

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const failed = (error: string): string => `"command failed" err=${JSON.stringify(error)}`;

test('a matching pair is read', () => {
  const { certificate: cert, key } = one;
  expect(
    readServingPair(file('a', `${cert}${other.certificate}`), file('b', `${block('EC PARAMETERS')}${key}`)),
  ).toEqual({
    cert: `${cert}${other.certificate}`,
    key: `${block('EC PARAMETERS')}${key}`,
  });
  expect(readClientCa(file('ca', `words\n${block('X')}${cert}`))).toContain(cert);
});

// What kube-apiserver v1.36.2 ends with.
describe('a serving pair', () => {
  test.each([
    ['42', '42', 'tls: failed to find any PEM data in certificate input'],
    [one.certificate, '42', 'tls: failed to find any PEM data in key input'],
    [one.certificate, other.key, 'tls: private key does not match public key'],
    [one.certificate, one.certificate, 'tls: found a certificate rather than a key in the PEM for the private key'],
    [
      one.key,
      one.key,
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [
      block('A') + block('B C'),
      one.key,
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B C]',
    ],
    [
      one.certificate,
      block('A') + block('CERTIFICATE'),
      'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [A CERTIFICATE]',
    ],
    [one.certificate, block('PRIVATE KEY'), 'tls: failed to parse private key'],
    [block('CERTIFICATE'), one.key, 'x509: malformed certificate'],
    [
      block('CERTIFICATE'),
      block('CERTIFICATE'),
      'tls: found a certificate rather than a key in the PEM for the private key',
    ],
    ['', one.key, `missing content for serving cert "serving-cert::${folder}/cert::${folder}/key"`],
    [one.certificate, '', `missing content for serving cert "serving-cert::${folder}/cert::${folder}/key"`],
  ])('%j and %j: %s', (cert, key, error) => {
    expect(() => readServingPair(file('cert', cert), file('key', key))).toThrow(failed(error));
  });
});

test.each([
  ['x', '', 'missing filename for serving cert'],
  ['', 'x', 'missing filename for serving cert'],
  ['/no/such', '/no/such', 'open /no/such: no such file or directory'],
])('the certificate %j and the key %j: %s', (cert, key, error) => {
  expect(() => readServingPair(cert, key)).toThrow(failed(error));
});

test('CAs of clients that are not there', () => {
  expect(() => readClientCa('/no/such')).toThrow(failed('open /no/such: no such file or directory'));
});

describe('the CAs of clients', () => {
  test.each([
    ['', `missing content for CA bundle "client-ca-bundle::${folder}/ca"`],
    ...['42', one.key].map((text) => [
      text,
      `error loading CA bundle for "client-ca-bundle::${folder}/ca": data does not contain any valid RSA or ECDSA certificates`,
    ]),
    [
      one.certificate + block('CERTIFICATE'),
      `error loading CA bundle for "client-ca-bundle::${folder}/ca": x509: malformed certificate`,
    ],
  ])('%j: %s', (text, error) => {
    expect(() => readClientCa(file('ca', text ?? ''))).toThrow(failed(error ?? ''));
  });
});
