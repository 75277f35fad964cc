import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { pemBlocks } from '../../machinery/go/pem.ts';
import type { ClientCertificate } from '../../apiserver/request/api-request.ts';

/** A request of either protocol; HTTP/1.1 has no stream. */
export interface CertificateBearer {
  readonly stream?: { readonly session?: { readonly socket: object } | undefined };
  readonly socket: object;
}

export type PresentedCertificate =
  | { readonly outcome: 'none' }
  /** Of a CA of clients, of one of proxies, or of both. */
  | {
      readonly outcome: 'verified';
      readonly certificate: ClientCertificate | undefined;
      readonly proxyCertificate: ClientCertificate | undefined;
    }
  /** Of another CA, or no longer valid. */
  | { readonly outcome: 'rejected' };

/** Whom the client certificate of a request's connection names; read once per connection. */
export type ReadCertificate = (bearer: CertificateBearer) => PresentedCertificate;

/** PEM texts of CAs; without any for proxies, whatever is verified is a client's. */
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

/** Is the certificate, or one that signed it, signed by one of these? OpenSSL has checked all of the chain. */
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

/** Node gives a repeated name as a list, whatever its types say. */
function namesIn(names: unknown): readonly string[] {
  if (typeof names === 'string') return [names];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
