import { base64Bytes } from '../../../machinery/go/base64-bytes.ts';
import { asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { pemBlocks, type PemBlock } from '../../../machinery/go/pem.ts';
import { decodeBase64, parseElements, parseParts, derTags, type Element } from '../certificates/x509.ts';
import type { Secret } from '../../types/generated/core-v1.ts';

/**
 * Warns when certificate and key of a TLS Secret are unreadable or do not match. Follows kubernetes
 * pkg/registry/core/secret/strategy.go, Go's crypto/tls X509KeyPair.
 */
export function tlsPairWarnings({ type, data }: Secret): readonly string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const { 'tls.crt': certificate, 'tls.key': key } = asObject(data);
  const fault = findPairFault(parseBlocks(certificate), parseBlocks(key));
  return fault === undefined ? [] : [fault];
}

const parseBlocks = (value: JsonValue | undefined): readonly PemBlock[] => [
  ...pemBlocks(decodeBase64(asString(value)) ?? ''),
];

function findPairFault(certificates: readonly PemBlock[], keys: readonly PemBlock[]): string | undefined {
  const certificate = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (!certificate) return `tls: ${formatNoCertificate(certificates.map(({ type }) => type))}`;
  const key = keys.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (!key) return `tls: ${formatNoKey(keys.map(({ type }) => type))}`;
  const owner = parsePublicKey(certificate);
  if (!owner) return 'x509: malformed certificate';
  const shown = parsePublicPart(parseParts(parseElement(key)));
  if (shown === undefined) return 'tls: failed to parse private key';
  return shown === 'untold' || contains(owner, shown) ? undefined : 'tls: private key does not match public key';
}

function formatNoCertificate(skipped: readonly string[]): string {
  const [first, ...others] = skipped;
  if (first === undefined) return 'failed to find any PEM data in certificate input';
  return others.length === 0 && first.endsWith('PRIVATE KEY')
    ? 'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
    : `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function formatNoKey(skipped: readonly string[]): string {
  const [first, ...others] = skipped;
  if (first === undefined) return 'failed to find any PEM data in key input';
  return others.length === 0 && first === 'CERTIFICATE'
    ? 'found a certificate rather than a key in the PEM for the private key'
    : `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

/** [1] of an EC private key. */
const publicKeyTag = 0xa1;

/** SubjectPublicKeyInfo: the seventh part, or the sixth without a version. */
function parsePublicKey(certificate: PemBlock): Uint8Array | undefined {
  const parts = parseParts(parseParts(parseElement(certificate))[0]);
  const info = parts[parts[0]?.tag === derTags.version ? 6 : 5];
  return info?.tag === derTags.sequence ? info.content : undefined;
}

/** The modulus or point of a private key; undefined for anything else. */
function parsePublicPart(parts: readonly Element[]): Uint8Array | 'untold' | undefined {
  const [version, second, third] = parts;
  const isWrapped =
    version?.tag === derTags.integer && second?.tag === derTags.sequence && third?.tag === derTags.octetString;
  return isWrapped ? parseWrappedPart(third) : parseBarePart(parts);
}

/** PKCS 1 or SEC 1. */
function parseBarePart(parts: readonly Element[]): Uint8Array | 'untold' | undefined {
  const [version, second] = parts;
  if (version?.tag !== derTags.integer) return undefined;
  if (second?.tag === derTags.integer) return parts.length > 3 ? second.content : undefined;
  return second?.tag === derTags.octetString ? parsePoint(parts) : undefined;
}

const parsePoint = (parts: readonly Element[]): Uint8Array | 'untold' =>
  parseParts(parts.find(({ tag }) => tag === publicKeyTag))[0]?.content ?? 'untold';

/** PKCS 8, which wraps PKCS 1 or SEC 1; an Ed25519 key is bytes only. */
function parseWrappedPart(octets: Element): Uint8Array | 'untold' | undefined {
  const [inner] = parseParts(octets);
  return inner?.tag === derTags.sequence ? parseBarePart(parseParts(inner)) : 'untold';
}

function parseElement({ base64 }: PemBlock): Element | undefined {
  const [element] = parseElements(base64Bytes(base64)) ?? [];
  return element?.tag === derTags.sequence ? element : undefined;
}

/** Strings are searched natively. */
const contains = (bytes: Uint8Array, part: Uint8Array): boolean => toLatin1(bytes).includes(toLatin1(part));

const toLatin1 = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);
