import { webcrypto } from 'node:crypto';
import type { GeneralNameType, KeyUsageFlags, Pkcs10CertificateRequest } from '@peculiar/x509';
import { caSignature, importSigningKey, type KeyedCertificate } from './issue-certificate.ts';

interface SigningOrder {
  /** PEM in base64. */
  readonly request: string;
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
}

type Signed = { readonly certificate: string } | { readonly failure: string };

const minute = 60_000;
const backdate = 5 * minute;
/** The backdate does not shorten certificates with a shorter duration. */
const short = 8 * 60 * minute;
const maxLifetimeMs = 365 * 24 * 60 * minute;
const minLifetimeMs = 10 * minute;

/**
 * Signs an approved request with the server's CA if it meets its signer's rules. Follows kubernetes
 * pkg/controller/certificates/{signer/signer,authority/policies}.go and pkg/apis/certificates/helpers.go.
 */
export async function signRequest(order: SigningOrder, authority: KeyedCertificate, now: number): Promise<Signed> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const request = new x509.Pkcs10CertificateRequest(Buffer.from(order.request, 'base64').toString('latin1'));
  const names = request.extensions.find((one) => one instanceof x509.SubjectAlternativeNameExtension);
  const types = names === undefined ? [] : names.names.items.map(({ type }) => type);
  const failure = faultOf(order, request, types);
  if (failure !== undefined) return { failure };
  const issuer = new x509.X509Certificate(authority.certificate);
  const life = clampLifetime(order.expirationSeconds);
  const end = now + (life < short ? life : life - backdate);
  const flags: Readonly<Record<string, KeyUsageFlags>> = {
    'digital signature': x509.KeyUsageFlags.digitalSignature,
    'key encipherment': x509.KeyUsageFlags.keyEncipherment,
  };
  // oxlint-disable-next-line no-bitwise -- flags
  const usageFlags = order.usages.reduce((all, usage) => all | (flags[usage] ?? 0), 0);
  const purposes = { 'client auth': x509.ExtendedKeyUsage.clientAuth, 'server auth': x509.ExtendedKeyUsage.serverAuth };
  const extended = Object.entries(purposes).flatMap(([usage, purpose]) =>
    order.usages.includes(usage) ? [purpose] : [],
  );
  const certificate = await x509.X509CertificateGenerator.create(
    {
      subject: request.subjectName,
      issuer: issuer.subjectName,
      notBefore: new Date(now - backdate),
      notAfter: new Date(Math.min(end, issuer.notAfter.getTime())),
      publicKey: await request.publicKey.export(webcrypto),
      signingKey: await importSigningKey(authority.key),
      signingAlgorithm: caSignature,
      extensions: [
        // An empty key usage would make the certificate invalid.
        ...(usageFlags === 0 ? [] : [new x509.KeyUsagesExtension(usageFlags, true)]),
        new x509.ExtendedKeyUsageExtension(extended),
        new x509.BasicConstraintsExtension(false, undefined, true),
        await x509.AuthorityKeyIdentifierExtension.create(issuer),
        ...(names === undefined ? [] : [names]),
      ],
    },
    webcrypto,
  );
  return { certificate: `${certificate.toString('pem')}\n` };
}

function clampLifetime(expirationSeconds: number | undefined): number {
  if (expirationSeconds === undefined) return maxLifetimeMs;
  return Math.max(minLifetimeMs, Math.min(expirationSeconds * 1000, maxLifetimeMs));
}

type Demand = (
  order: SigningOrder,
  request: Pkcs10CertificateRequest,
  names: readonly GeneralNameType[],
) => string | undefined;

const faultOf: Demand = (order, request, names) => demands[order.signerName]?.(order, request, names);

const clientUsages = ['client auth', 'digital signature', 'key encipherment'];
const servingUsages = ['digital signature', 'key encipherment', 'server auth'];

const demands: Readonly<Record<string, Demand>> = {
  'kubernetes.io/kube-apiserver-client': ({ usages }) => {
    const wrong = usages.find((usage) => !clientUsages.includes(usage));
    if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`;
    return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
  },
  'kubernetes.io/kube-apiserver-client-kubelet': (order, request, names) =>
    organizationFault(request) ??
    unwantedNames(names, ['dns', 'email', 'ip', 'url']) ??
    nodeFault(request) ??
    usageFault(order, clientUsages),
  'kubernetes.io/kubelet-serving': (order, request, names) =>
    organizationFault(request) ??
    (names.some((type) => type === 'dns' || type === 'ip') ? undefined : 'DNS or IP subjectAltName is required') ??
    unwantedNames(names, ['email', 'url']) ??
    usageFault(order, servingUsages) ??
    nodeFault(request),
};

function organizationFault({ subjectName }: Pkcs10CertificateRequest): string | undefined {
  const organizations = subjectName.getField('O');
  return organizations.length === 1 && organizations[0] === 'system:nodes'
    ? undefined
    : 'subject organization is not system:nodes';
}

const nodeFault = ({ subjectName }: Pkcs10CertificateRequest): string | undefined =>
  subjectName.getField('CN')[0]?.startsWith('system:node:') === true
    ? undefined
    : 'subject common name does not begin with system:node:';

const nameWords = { dns: 'DNS', email: 'email', ip: 'IP', url: 'URI' } as const;

function unwantedNames(
  names: readonly GeneralNameType[],
  unwanted: readonly (keyof typeof nameWords)[],
): string | undefined {
  const found = unwanted.find((type) => names.includes(type));
  return found && `${nameWords[found]} subjectAltNames are not allowed`;
}

/** Only RSA keys need key encipherment. */
function usageFault({ usages }: SigningOrder, required: readonly string[]): string | undefined {
  const given = new Set(usages);
  const isMatch = (wanted: readonly string[]): boolean =>
    given.size === wanted.length && wanted.every((usage) => given.has(usage));
  const isRight = isMatch(required) || isMatch(required.filter((usage) => usage !== 'key encipherment'));
  return isRight ? undefined : `usages did not match [${required.join(' ')}]`;
}
