import { expect, test } from 'vitest';
import { signatureFault } from '../../../src/app/compose/request-signature.ts';
import { createTestWorld } from '../../harness/world.ts';

/** Made by openssl req, DER in base64. */
const made = {
  ec: 'MIHGMG4CAQAwDDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABM27OxHXk1T6/Pq46H6mPWcXFm6SgDDIt2fYxzPyg1JwLHbx0y3MnGpHpkF43hx/eMhnWGougLLI4F/vttSmqZugADAKBggqhkjOPQQDAgNIADBFAiBC9XQu5eZnW5Ej0kvUxPxPwRwnh6GJKy4RWsN3XM3rgAIhAMCmPaOyzYfP8lfF9CQDQaPGtfI9yKLAXoEleInDMn7x',
  secp256k1:
    'MIHEMGsCAQAwDDEKMAgGA1UEAwwBYTBWMBAGByqGSM49AgEGBSuBBAAKA0IABOi3KU42UNwEoFIb5szq5TMuqXmdh0kD4v4mbtmNHMFBGvqg8anJcvvZgDLIqulI3Qb8FzvsoT4AdytzS7GlanagADAKBggqhkjOPQQDAgNJADBGAiEAknWz64X8ek5nZ0+P489hRZFW5v6i0J2TtHxgvXvENIACIQCzBuK1+krozo3QUZBI68BNX6juv2+KuawXflbZBLhbgg==',
  ed25519:
    'MIGLMD8CAQAwDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhAFPD6Vka6jymPWp8tOev2VuCbCInNGser+z5IzAhoqtToAAwBQYDK2VwA0EAq2RRTqrOiEyRUACtZb3wSmSxiCZOzkeifbYJcAd5Y2/nYi65zAarrIW9eDUANbZwvJ123EHMuI6Sb01gTOgtDQ==',
  rsa: 'MIICUTCCATkCAQAwDDEKMAgGA1UEAwwBYTCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAJjuTZd14o1u8wJN2YIciyGUA9ClP+rCl0VvVF4bIuybJ7cjz0o+8oFwFgSKpZ7qZWssHruOapKhNYLhaV3jw/TLUCZhmJxqkXjVUAAA49xqQi+4pubclYaQVZFldBxceMdjvrXZfUQF2dRolBT9n3IyzY9Q3LRy12JdRzqi+hrZ82XPQqnFcqF9vLn3RsaN8FOWIZBn/MF9HfjWuKc8dfzP4s40qGNaYyCNxNbEVQ4FuqveXkvWyCTgO0loITXaxFFFHdJh3eE0Z3wTp/3Z+E99N/tkjmnGFfcnDlzVbQwkd2bjwp9Fi/TFCvHehy4aiS7MGJJZIJpO3SundNjRLAECAwEAAaAAMA0GCSqGSIb3DQEBCwUAA4IBAQBBP4FKTaeLpcJ7JsSUiddcObArB+NQ+TX2ll3aPg/GKZo0E8SnVbDJ5dDDfQxcBoBbQy4u5svRTfLxxIwzCc+M9iS/yrkSzMnPuRk3MKHb1RxS48jJiBo8b8ka9FaprA5aZIk+pQAHDZGfp0x/CT/FuXsyFVydtGPHqb1Yy6xvHNoyUdwF5u+7VJl6dGOLE5XQw3NYIhvnNwMoH8M0eAi5cH0MRP7bHuA23Z/crWDXedOH722MAgt8acfj1Ev4IR9fhibg4ncmWn52pzNoiXcBit5DRReBjtBUTPZOK9g2RBg8hyY5Hr/zeqiWb3tSZz2T96AZ7Zfk8XW9Fd7Y9hlx',
  short:
    'MIHFMHECAQAwDDEKMAgGA1UEAwwBYTBcMA0GCSqGSIb3DQEBAQUAA0sAMEgCQQDNz0nfRtC8yTKTFBs/2jwT8K8hhs7nwZMTLW5BQuzPBSfN5KptkdezwCyHcyz4oWUzfs/NNn8J3y3EIy1fpNYjAgMBAAGgADANBgkqhkiG9w0BAQsFAANBAM2VYLzRMIKtA0OssyWaoTgWTn4B4vqfiUoLl+k6R9Oj8m6AvL/aKO9vHGAGVrYRAcfy7M+yP5xmaGfkJZuM3mQ=',
};

const pem = (der: Buffer): string =>
  Buffer.from(
    `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`,
  ).toString('base64');

/** One byte is another: the last, or that so far behind the last of these. */
function changed(der: string, behind = '', offset = -1, to = 0): string {
  const bytes = Buffer.from(der, 'base64');
  const at = behind === '' ? bytes.length - 1 : bytes.lastIndexOf(Buffer.from(behind, 'hex')) + offset;
  bytes[at] = behind === '' ? (bytes[at] ?? 0) ^ 1 : to;
  return pem(bytes);
}

const rsaOid = '2a864886f70d01010b';
const unimplemented = 'x509: cannot verify signature: algorithm unimplemented';
const notRsa = 'crypto/rsa: verification error';

// What kube-apiserver v1.36.2 answered. Source: Go's crypto/x509 checkSignature.
test.each<readonly [what: string, request: string, fault: string | undefined]>([
  ['ECDSA', pem(Buffer.from(made.ec, 'base64')), undefined],
  ['ECDSA, another signature', changed(made.ec), 'x509: ECDSA verification failure'],
  ['ECDSA, another name', changed(made.ec, '0603550403', 7, 0x62), 'x509: ECDSA verification failure'],
  ['ECDSA, an unknown algorithm', changed(made.ec, '2a8648ce3d040302', 7, 5), unimplemented],
  ['a curve that Go does not have', pem(Buffer.from(made.secp256k1, 'base64')), 'x509: unsupported elliptic curve'],
  ['Ed25519', pem(Buffer.from(made.ed25519, 'base64')), undefined],
  ['Ed25519, another signature', changed(made.ed25519), 'x509: Ed25519 verification failure'],
  ['RSA', pem(Buffer.from(made.rsa, 'base64')), undefined],
  ['RSA, another signature', changed(made.rsa), notRsa],
  ['RSA, said to be of SHA-384', changed(made.rsa, rsaOid, 8, 12), notRsa],
  ['RSA, an unknown algorithm', changed(made.rsa, rsaOid, 8, 32), unimplemented],
  [
    'RSA, said to be of MD5',
    changed(made.rsa, rsaOid, 8, 4),
    'x509: cannot verify signature: insecure algorithm MD5-RSA',
  ],
  [
    'a short RSA key',
    pem(Buffer.from(made.short, 'base64')),
    'crypto/rsa: 512-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)',
  ],
  ['no request', 'AAAA', undefined],
])('a request for a certificate with %s', (_what, request, fault) => {
  expect(signatureFault(request)).toBe(fault);
});

test('a CertificateSigningRequest that its key has not signed is refused', async () => {
  const world = await createTestWorld();
  const request = changed(made.ec);
  const spec = { request, signerName: 'example.com/x', usages: ['client auth'] };
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const { code, body } = await world.send('POST', path, { metadata: { name: 'x' }, spec });
  const text = `CertificateSigningRequest.certificates.k8s.io "x" is invalid: spec.request: Invalid value: ${JSON.stringify(request)}: x509: ECDSA verification failure`;
  expect([code, body['message']]).toEqual([422, text]);
});
