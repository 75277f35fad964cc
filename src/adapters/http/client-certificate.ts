import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { pemBlocks } from '../../machinery/go/pem.ts';
import type { ClientCertificate } from '../../apiserver/request/api-request.ts';

/** HTTP/1.1 requests have no stream. */
export interface CertificateBearer {
  readonly stream?: { readonly session?: { readonly socket: object } | undefined };
  readonly socket: object;
}

export type PresentedCertificate =
  | { readonly outcome: 'none' }
  /** Signed by a client CA, a proxy CA, or both. */
  | {
      readonly outcome: 'verified';
      readonly certificate: ClientCertificate | undefined;
      readonly proxyCertificate: ClientCertificate | undefined;
    }
  /** Signed by an unknown CA, or expired. */
  | { readonly outcome: 'rejected' };

/** Reads the client certificate of a request's connection, once per connection. */
export type ReadCertificate = (bearer: CertificateBearer) => PresentedCertificate;

/** PEM. Without proxy CAs every verified certificate is a client's. */
export interface TrustedCas {
  readonly clientCas: readonly string[];
  readonly proxyCas?: readonly string[];
}

/** Follows apiserver pkg/authentication/request/x509/x509.go. */
export function createCertificateReader({ clientCas, proxyCas = [] }: TrustedCas): ReadCertificate {
  const known = new WeakMap<object, PresentedCertificate>();
  const isClients = proxyCas.length === 0 ? () => true : signedByOneOf(clientCas);
  const isProxies = proxyCas.length === 0 ? () => false : signedByOneOf(proxyCas);
  return ({ stream, socket }) => {
    const connection = stream?.session ?? socket;
    const cached = known.get(connection);
    if (cached) return cached;
    const presented = readCertificate(stream?.session?.socket ?? socket, { isClients, isProxies });
    known.set(connection, presented);
    return presented;
  };
}

type IsSigned = (certificate: X509Certificate) => boolean;

/** Whether one of these CAs signed the certificate or one of its issuers. OpenSSL has verified the chain. */
function signedByOneOf(pems: readonly string[]): IsSigned {
  const cas = pems.flatMap((pem) =>
    [...pemBlocks(pem)]
      .filter(({ type }) => type === 'CERTIFICATE')
      .map(({ base64 }) => new X509Certificate(Buffer.from(base64, 'base64'))),
  );
  const isSigned = (certificate: X509Certificate): boolean =>
    cas.some((ca) => certificate.checkIssued(ca) && certificate.verify(ca.publicKey));
  return (leaf) => {
    for (let one: X509Certificate | undefined = leaf, depth = 0; one && depth < deepestChain; depth += 1) {
      if (isSigned(one)) return true;
      one = one.issuerCertificate;
    }
    return false;
  };
}

const deepestChain = 10;

function readCertificate(
  socket: object,
  { isClients, isProxies }: { readonly isClients: IsSigned; readonly isProxies: IsSigned },
): PresentedCertificate {
  const presented = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (!(socket instanceof TLSSocket) || !presented) return { outcome: 'none' };
  if (!socket.authorized) return { outcome: 'rejected' };
  const { subject } = socket.getPeerCertificate();
  const certificate = { commonName: namesIn(subject.CN)[0] ?? '', organizations: namesIn(subject.O) };
  return {
    outcome: 'verified',
    certificate: isClients(presented) ? certificate : undefined,
    proxyCertificate: isProxies(presented) ? certificate : undefined,
  };
}

/** Node returns repeated names as a list, contrary to its types. */
function namesIn(names: unknown): readonly string[] {
  if (typeof names === 'string') return [names];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
