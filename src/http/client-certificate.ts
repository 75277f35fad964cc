import { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../request/api-request.ts';

/** A request of either protocol; HTTP/1.1 has no stream. */
export interface CertificateBearer {
  readonly stream?: { readonly session?: { readonly socket: object } | undefined };
  readonly socket: object;
}

const known = new WeakMap<object, { readonly certificate: ClientCertificate | undefined }>();

/**
 * Whom the verified client certificate of the request's connection names; read once per connection.
 * Follows apiserver pkg/authentication/request/x509/x509.go CommonNameUserConversion.
 */
export function clientCertificateOf({ stream, socket }: CertificateBearer): ClientCertificate | undefined {
  const connection = stream?.session ?? socket;
  const cached = known.get(connection);
  if (cached) return cached.certificate;
  const certificate = readCertificate(stream?.session?.socket ?? socket);
  known.set(connection, { certificate });
  return certificate;
}

function readCertificate(socket: object): ClientCertificate | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  // A resumed connection whose client never showed a certificate counts as authorized too.
  const shown: { readonly subject?: { readonly CN?: unknown; readonly O?: unknown } } = socket.getPeerCertificate();
  const { subject } = shown;
  if (!subject) return undefined;
  return { commonName: namesIn(subject.CN)[0] ?? '', organizations: namesIn(subject.O) };
}

/** Node gives a repeated name as a list, whatever its types say. */
function namesIn(names: unknown): readonly string[] {
  if (typeof names === 'string') return [names];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
