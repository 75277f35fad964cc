import { expect, test } from 'vitest';
import { readCertificateRequest } from '../../src/api/validation/certificates/x509.ts';

const element = (tag: number, ...parts: readonly (readonly number[])[]): readonly number[] => {
  const content = parts.flat();
  return [tag, ...(content.length < 0x80 ? [content.length] : [0x81, content.length]), ...content];
};
const text = (value: string): readonly number[] => Array.from(value, (char) => char.charCodeAt(0));
const organization = (tag: number, value: readonly number[]): readonly number[] =>
  element(0x31, element(0x30, element(6, [0x55, 4, 10]), element(tag, value)));

/** A request with these parts of a subject. */
const request = (...subject: readonly (readonly number[])[]): string =>
  pem(element(0x30, element(0x30, element(2, [0]), element(0x30, ...subject)), element(0x30), element(3, [0])));

const pem = (der: readonly number[]): string =>
  btoa(
    `before\n-----BEGIN CERTIFICATE REQUEST-----\n${btoa(String.fromCharCode(...der))}\n-----END CERTIFICATE REQUEST-----\n`,
  );

const masters = 'system:masters';
const wide = text(masters).flatMap((code) => [0, code]);

// Source: kubernetes pkg/apis/certificates/helpers.go; go encoding/asn1 takes these kinds of strings for strings.
test.each([
  ['UTF-8', request(organization(12, text(masters))), [masters]],
  [
    'printable, the second of two',
    request(organization(19, text('a')), organization(19, text(masters))),
    ['a', masters],
  ],
  ['two bytes for each character', request(organization(30, wide)), [masters]],
  ['no text at all', request(organization(4, text(masters))), []],
  ['long names', request(organization(12, text('x'.repeat(100)))), ['x'.repeat(100)]],
])('organizations: %s', (_fact, encoded, organizations) => {
  expect(readCertificateRequest(encoded)).toEqual({ outcome: 'read', commonName: '', organizations });
});

test.each([
  ['no PEM', btoa('x'), 'PEM block type must be CERTIFICATE REQUEST'],
  ['no base64', '~', 'PEM block type must be CERTIFICATE REQUEST'],
  ['a length that leads outside', pem([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), "asn1: structure error: tags don't match"],
  ['no sequence', pem(element(4, [1])), "asn1: structure error: tags don't match"],
])('what cannot be read: %s', (_fact, encoded, error) => {
  expect(readCertificateRequest(encoded)).toEqual({ outcome: 'corrupt', error });
});
