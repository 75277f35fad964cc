import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { ExtendedKeyUsage, Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { expect, test } from 'vitest';
import { issueCertificate } from '../../../src/adapters/certificates/issue-certificate.ts';
import { signRequest } from '../../../src/adapters/certificates/sign-request.ts';

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 0, 1);
const authority = await issueCertificate({
  commonName: 'kubernetes',
  purpose: 'authority',
  notBefore: new Date(now - day),
  notAfter: new Date(now + 200 * day),
});
const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);

type Name = ConstructorParameters<typeof SubjectAlternativeNameExtension>[0];

async function requestOf(subject: string, names: Name = []): Promise<string> {
  const request = await Pkcs10CertificateRequestGenerator.create(
    {
      name: subject,
      keys,
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      extensions: Array.isArray(names) && names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : [],
    },
    webcrypto,
  );
  return Buffer.from(request.toString('pem')).toString('base64');
}

const node = 'O=system:nodes, CN=system:node:n1';
const dns = { type: 'dns', value: 'n1' } as const;
const [client, kubelet, serving] = ['kube-apiserver-client', 'kube-apiserver-client-kubelet', 'kubelet-serving'].map(
  (name) => `kubernetes.io/${name}`,
);
const clientUsages = ['key encipherment', 'digital signature', 'client auth'];
const servingUsages = ['key encipherment', 'digital signature', 'server auth'];

interface Sent {
  readonly signerName: string | undefined;
  readonly subject: string;
  readonly usages: readonly string[];
  readonly names?: Name;
  readonly expirationSeconds?: number | undefined;
}

const sign = async ({ signerName = '', subject, usages, names, expirationSeconds }: Sent) =>
  signRequest({ request: await requestOf(subject, names), signerName, usages, expirationSeconds }, authority, now);

// Source: kubernetes pkg/apis/certificates/helpers.go ValidateKubeletServingCSR, ValidateKubeletClientCSR; signer.go validAPIServerClientUsages.
test.each<readonly [failure: string, sent: Sent]>([
  [
    'missing required usage for client certificate: client auth',
    { signerName: client, subject: 'CN=a', usages: ['digital signature'], names: [] },
  ],
  [
    'invalid usage for client certificate: any',
    { signerName: client, subject: 'CN=a', usages: ['client auth', 'any'], names: [] },
  ],
  [
    'subject organization is not system:nodes',
    { signerName: kubelet, subject: 'O=a, CN=system:node:n', usages: clientUsages, names: [] },
  ],
  ['DNS subjectAltNames are not allowed', { signerName: kubelet, subject: node, usages: clientUsages, names: [dns] }],
  [
    'email subjectAltNames are not allowed',
    { signerName: kubelet, subject: node, usages: clientUsages, names: [{ type: 'email', value: 'a@b.c' }] },
  ],
  [
    'subject common name does not begin with system:node:',
    { signerName: kubelet, subject: 'O=system:nodes, CN=n', usages: clientUsages, names: [] },
  ],
  [
    'usages did not match [client auth digital signature key encipherment]',
    { signerName: kubelet, subject: node, usages: servingUsages, names: [] },
  ],
  ['DNS or IP subjectAltName is required', { signerName: serving, subject: node, usages: servingUsages, names: [] }],
  [
    'URI subjectAltNames are not allowed',
    { signerName: serving, subject: node, usages: servingUsages, names: [dns, { type: 'url', value: 'a://b' }] },
  ],
  [
    'usages did not match [digital signature key encipherment server auth]',
    { signerName: serving, subject: node, usages: clientUsages, names: [dns] },
  ],
])('%s: %j', async (failure, sent) => {
  expect(await sign(sent)).toEqual({ failure });
});

async function signed(sent: Sent): Promise<X509Certificate> {
  const answer = await sign(sent);
  if ('failure' in answer) throw new Error(answer.failure);
  return new X509Certificate(answer.certificate);
}

test('a serving certificate has the names, the usages and the subject of its request', async () => {
  const made = await signed({
    signerName: serving,
    subject: node,
    usages: servingUsages,
    names: [dns, { type: 'ip', value: '10.0.0.1' }],
  });
  expect(made.subject).toBe('O=system:nodes\nCN=system:node:n1');
  expect(made.subjectAltName).toBe('DNS:n1, IP Address:10.0.0.1');
  expect(made.keyUsage).toEqual([ExtendedKeyUsage.serverAuth]);
  expect(made.ca).toBe(false);
  expect(made.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
});

test.each([
  ['no time asked for: as long as the CA lives', undefined, 200 * day],
  ['an hour', 3600, 3_600_000],
  ['a minute: ten', 60, 600_000],
  ['a day: the backdate counts', 86_400, day - 300_000],
])('a certificate ends in time: %s', async (_what, seconds, life) => {
  const made = await signed({
    signerName: client,
    subject: 'CN=a',
    usages: ['client auth'],
    expirationSeconds: seconds,
  });
  expect(Date.parse(made.validFrom)).toBe(now - 300_000);
  expect(Date.parse(made.validTo)).toBe(now + life);
});

// Source: Go's crypto/x509 x509.go buildCertExtensions. An empty key usage makes the certificate invalid for OpenSSL.
test.each([[['client auth']], [['client auth', 'digital signature']]])(
  'a certificate for %j is valid',
  async (usages) => {
    const made = await signed({ signerName: client, subject: 'CN=a', usages });
    expect(made.checkIssued(new X509Certificate(authority.certificate))).toBe(true);
  },
);
