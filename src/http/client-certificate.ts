import { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../request/api-request.ts';

/** A request of either protocol; HTTP/1.1 has no stream. */
export interface CertificateBearer {
  readonly stream?: { readonly session?: { readonly socket: object } | undefined };
  readonly socket: object;
}

export type PresentedCertificate =
  | { readonly outcome: 'none' }
  | { readonly outcome: 'verified'; readonly certificate: ClientCertificate }
  /** Of another CA, or no longer valid. */
  | { readonly outcome: 'rejected' };

const known = new WeakMap<object, PresentedCertificate>();

/**
 * Whom the client certificate of the request's connection names; read once per connection.
 * Follows apiserver pkg/authentication/request/x509/x509.go.
 */
export function clientCertificateOf({ stream, socket }: CertificateBearer): PresentedCertificate {
  const connection = stream?.session ?? socket;
  const cached = known.get(connection);
  if (cached) return cached;
  const presented = readCertificate(stream?.session?.socket ?? socket);
  known.set(connection, presented);
  return presented;
}

function readCertificate(socket: object): PresentedCertificate {
  if (!(socket instanceof TLSSocket) || socket.getPeerX509Certificate() === undefined) return { outcome: 'none' };
  if (!socket.authorized) return { outcome: 'rejected' };
  const { subject } = socket.getPeerCertificate();
  return {
    outcome: 'verified',
    certificate: { commonName: namesIn(subject.CN)[0] ?? '', organizations: namesIn(subject.O) },
  };
}

/** Node gives a repeated name as a list, whatever its types say. */
function namesIn(names: unknown): readonly string[] {
  if (typeof names === 'string') return [names];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
