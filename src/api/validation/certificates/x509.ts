import { base64Bytes } from '../../../machinery/go/base64-bytes.ts';
import { pemBlocks } from '../../../machinery/go/pem.ts';

/** An ASN.1 DER element. */
export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Tag, length and content. */
  readonly whole: Uint8Array;
}

export const derTags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
  /** [0], for example the version of a certificate. */
  version: 0xa0,
} as const;

/** undefined when a length exceeds the input. */
export function parseElements(bytes: Uint8Array): readonly Element[] | undefined {
  const elements: Element[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0x80;
    const lengthBytes = first < 0x80 ? [first] : [...bytes.subarray(at + 2, at + 2 + (first & 0x7f))];
    const start = at + 2 + (first < 0x80 ? 0 : lengthBytes.length);
    const stop = start + lengthBytes.reduce((sum, byte) => sum * 256 + byte, 0);
    if (first === 0x80 || lengthBytes.length > 4 || stop > bytes.length) return undefined;
    elements.push({ tag, content: bytes.subarray(start, stop), whole: bytes.subarray(at, stop) });
    at = stop;
  }
  return elements;
}

export const parseParts = (element: Element | undefined): readonly Element[] =>
  (element && parseElements(element.content)) ?? [];

/** The parts of a sequence; none of another element. */
export const parseSequence = (element: Element | undefined): readonly Element[] =>
  element?.tag === derTags.sequence ? parseParts(element) : [];

/** One character per byte; undefined for text that is no base64. */
export function decodeBase64(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}

export type CertificateRequestReading =
  | { readonly outcome: 'read'; readonly organizations: readonly string[]; readonly commonName: string }
  | { readonly outcome: 'corrupt'; readonly error: string };

const begin = '-----BEGIN CERTIFICATE REQUEST-----';
const end = '-----END CERTIFICATE REQUEST-----';

/** The DER parts of a signed request. */
export interface SignedRequest {
  readonly signed: Uint8Array;
  readonly publicKey: Uint8Array;
  /** Object identifier bytes joined with commas. */
  readonly algorithm: string;
  readonly signature: Uint8Array;
}

/** undefined for an unreadable request. */
export function parseSignedRequest(request: string): SignedRequest | undefined {
  const bytes = decodeRequest(request);
  const [whole] = bytes ? (parseElements(bytes) ?? []) : [];
  const [information, algorithm, signature] = parseSequence(whole);
  const [, , publicKey] = parseSequence(information);
  const [type] = parseSequence(algorithm);
  if (!information || !publicKey || !type || signature?.tag !== derTags.bitString) return undefined;
  return {
    signed: information.whole,
    publicKey: publicKey.whole,
    algorithm: String(type.content),
    signature: signature.content.subarray(1), // behind the number of unused bits
  };
}

function decodeRequest(request: string): Uint8Array | undefined {
  const pem = decodeBase64(request) ?? '';
  const from = pem.indexOf(begin);
  const to = pem.indexOf(end, from);
  const der = from < 0 || to < 0 ? undefined : decodeBase64(pem.slice(from + begin.length, to));
  return der === undefined ? undefined : Uint8Array.from(der, (char) => char.charCodeAt(0));
}

/**
 * Parses `spec.request`, base64 of PEM, without verifying the signature. Follows kubernetes
 * pkg/apis/certificates/helpers.go ParseCSR.
 */
export function readCertificateRequest(request: string): CertificateRequestReading {
  const bytes = decodeRequest(request);
  if (bytes === undefined) return { outcome: 'corrupt', error: 'PEM block type must be CERTIFICATE REQUEST' };
  const subject = parseSubject(bytes);
  if (!subject) return { outcome: 'corrupt', error: "asn1: structure error: tags don't match" };
  const valuesOf = (type: string): readonly string[] => subject.flatMap((part) => parseSubjectValues(part, type));
  return { outcome: 'read', organizations: valuesOf('85,4,10'), commonName: valuesOf('85,4,3').at(-1) ?? '' };
}

const texts = new Set<number>([12, 18, 19, 20, 22, derTags.bmpString]);

/** CertificationRequestInfo is version, subject and public key. */
function parseSubject(bytes: Uint8Array): readonly Element[] | undefined {
  const [request, ...behind] = parseElements(bytes) ?? [];
  const [information, ...signature] = parseSequence(request);
  const [version, subject] = parseSequence(information);
  const isRequest = behind.length === 0 && signature.length === 2 && version?.tag === derTags.integer;
  return isRequest && subject?.tag === derTags.sequence ? parseElements(subject.content) : undefined;
}

/** `wanted`: O is 2.5.4.10, CN is 2.5.4.3. */
function parseSubjectValues({ tag, content }: Element, expected: string): readonly string[] {
  if (tag !== derTags.set) return [];
  return (parseElements(content) ?? []).flatMap((attribute) => {
    const [type, value] = parseElements(attribute.content) ?? [];
    const isExpected = type?.tag === derTags.objectIdentifier && String(type.content) === expected;
    if (!isExpected || value === undefined || !texts.has(value.tag)) return [];
    return [new TextDecoder(value.tag === derTags.bmpString ? 'utf-16be' : 'utf-8').decode(value.content)];
  });
}

/**
 * Go's error for a caBundle (base64 of PEM); '' when it is empty or contains a certificate. Follows client-go transport/transport.go
 * rootCertPool.
 */
export function caBundleError(caBundle: string): string {
  const text = decodeBase64(caBundle) ?? 'no base64';
  if (text === '') return '';
  const blocks = [...pemBlocks(text)];
  const certificates = blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (certificates.some(({ base64 }) => isCertificate(base64Bytes(base64)))) return '';
  return `unable to load root certificates: ${formatNoCertificate(blocks.length, certificates.length)}`;
}

function formatNoCertificate(blocks: number, certificates: number): string {
  if (blocks === 0) return 'unable to parse bytes as PEM block';
  if (certificates > 0) return 'failed to parse certificate: x509: malformed certificate';
  return 'no valid certificate authority data seen';
}

/** Serial number, signature algorithm, issuer, validity, subject and public key. */
const fieldTags: readonly number[] = [derTags.integer, ...Array.from({ length: 5 }, () => derTags.sequence)];

/** Whether the bytes have the structure of a certificate. Follows Go's crypto/x509 parser.go parseCertificate. */
function isCertificate(der: Uint8Array): boolean {
  const [whole, ...behind] = parseElements(der) ?? [];
  const [certificate, ...signature] = parseSequence(whole);
  const fields = parseSequence(certificate).filter(({ tag }) => tag !== derTags.version);
  return (
    behind.length === 0 &&
    startsWithTags(fields, fieldTags) &&
    startsWithTags(signature, [derTags.sequence, derTags.bitString])
  );
}

const startsWithTags = (elements: readonly Element[], expected: readonly number[]): boolean =>
  expected.every((tag, index) => elements[index]?.tag === tag);
