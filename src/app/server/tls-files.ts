import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { type PemBlock, pemBlocks } from '../../machinery/go/pem.ts';
import { readGoFile } from '../../adapters/config/read-files.ts';
import { commandFailed } from '../../adapters/config/config-error.ts';
import { type Certificates, trustedBundle } from '../../adapters/certificates/open-certificates.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';

/**
 * The serving certificate and key. Throws StartFailure with kube-apiserver's messages, except for details of parsers. Follows apiserver dynamic_serving_content.go and Go's crypto/tls X509KeyPair.
 */
export function readServingPair(certFile: string, keyFile: string): { readonly cert: string; readonly key: string } {
  if (certFile === '' || keyFile === '') throw commandFailed('missing filename for serving cert');
  const cert = readGoFile(certFile);
  const key = readGoFile(keyFile);
  if (cert === '' || key === '') {
    throw commandFailed(`missing content for serving cert "serving-cert::${certFile}::${keyFile}"`);
  }
  const [certBlock, keyBlock] = [findCertificate([...pemBlocks(cert)]), findPrivateKey([...pemBlocks(key)])];
  const certificate = parseOrFail(() => parseCertificate(certBlock), 'x509: malformed certificate');
  if (!certificate.checkPrivateKey(parseOrFail(() => parsePrivateKey(keyBlock), 'tls: failed to parse private key'))) {
    throw commandFailed('tls: private key does not match public key');
  }
  return { cert, key };
}

function findCertificate(blocks: readonly PemBlock[]): PemBlock {
  const block = blocks.find(({ type }) => type === 'CERTIFICATE');
  if (block) return block;
  const [only, another] = blocks;
  if (!only) throw commandFailed('tls: failed to find any PEM data in certificate input');
  if (!another && only.type.endsWith('PRIVATE KEY')) {
    throw commandFailed(
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    );
  }
  throw commandFailed(
    `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${formatBlockTypes(blocks)}`,
  );
}

function findPrivateKey(blocks: readonly PemBlock[]): PemBlock {
  const block = blocks.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (block) return block;
  const [only, another] = blocks;
  if (!only) throw commandFailed('tls: failed to find any PEM data in key input');
  if (!another && only.type === 'CERTIFICATE') {
    throw commandFailed('tls: found a certificate rather than a key in the PEM for the private key');
  }
  throw commandFailed(
    `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${formatBlockTypes(blocks)}`,
  );
}

/** The CAs of client certificates. Throws StartFailure when there is none. */
export const readClientCa = (file: string): string => readCas(`client-ca-bundle::${file}`, file);

/** The CAs of authenticating proxies. */
export const readProxyCa = (file: string): string => readCas(`request-header::${file}`, file);

/** Follows apiserver pkg/server/dynamiccertificates/dynamic_cafile_content.go. `name` is the bundle's name in errors. */
function readCas(name: string, file: string): string {
  const text = readGoFile(file);
  if (text === '') throw commandFailed(`missing content for CA bundle "${name}"`);
  const blocks = [...pemBlocks(text)].filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  const failed = (reason: string): string => `error loading CA bundle for "${name}": ${reason}`;
  if (blocks.length === 0) throw commandFailed(failed('data does not contain any valid RSA or ECDSA certificates'));
  for (const block of blocks) parseOrFail(() => parseCertificate(block), failed('x509: malformed certificate'));
  return text;
}

function parseOrFail<T>(parse: () => T, problem: string): T {
  try {
    return parse();
  } catch {
    throw commandFailed(problem);
  }
}

const parseCertificate = ({ base64 }: PemBlock): X509Certificate => new X509Certificate(Buffer.from(base64, 'base64'));

const parsePrivateKey = ({ type, base64 }: PemBlock): KeyObject =>
  createPrivateKey(`-----BEGIN ${type}-----\n${base64}\n-----END ${type}-----\n`);

const formatBlockTypes = (blocks: readonly PemBlock[]): string => `[${blocks.map(({ type }) => type).join(' ')}]`;

/** The CAs for clients of the server. */
export const trustedCas = (
  { tlsCertFile: cert, tlsPrivateKeyFile: key }: ServerConfig,
  { authority }: Certificates,
): string => trustedBundle(authority.certificate, cert === '' ? '' : readServingPair(cert, key).cert);
