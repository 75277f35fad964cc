import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

export interface Issued {
  readonly cert: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const notBefore = new Date('2020-01-01');
const notAfter = new Date('2120-01-01');
x509.cryptoProvider.set(webcrypto);

/** A CA of its own, and what it can sign: `issue` takes a subject such as `CN=alice, O=dev, O=ops`. */
export async function createTestCa(
  name = 'test-ca',
): Promise<Issued & { readonly issue: (subject: string) => Promise<Issued> }> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  const pemOf = async (key: webcrypto.CryptoKey): Promise<string> =>
    x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
  return {
    cert: ca.toString('pem'),
    key: await pemOf(keys.privateKey),
    async issue(subject) {
      const own = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const issued = await x509.X509CertificateGenerator.create({
        subject,
        issuer: ca.subject,
        notBefore,
        notAfter,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
      });
      return { cert: issued.toString('pem'), key: await pemOf(own.privateKey) };
    },
  };
}
