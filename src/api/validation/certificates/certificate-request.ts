import { base64Text, type Element, elementsOf, sequenceParts, derTags } from './asn1.ts';

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
export function signedIn(request: string): SignedRequest | undefined {
  const bytes = bytesIn(request);
  const [whole] = bytes ? (elementsOf(bytes) ?? []) : [];
  const [information, algorithm, signature] = sequenceParts(whole);
  const [, , publicKey] = sequenceParts(information);
  const [type] = sequenceParts(algorithm);
  if (!information || !publicKey || !type || signature?.tag !== derTags.bitString) return undefined;
  return {
    signed: information.whole,
    publicKey: publicKey.whole,
    algorithm: String(type.content),
    signature: signature.content.subarray(1), // behind the number of unused bits
  };
}

function bytesIn(request: string): Uint8Array | undefined {
  const pem = base64Text(request) ?? '';
  const from = pem.indexOf(begin);
  const to = pem.indexOf(end, from);
  const der = from < 0 || to < 0 ? undefined : base64Text(pem.slice(from + begin.length, to));
  return der === undefined ? undefined : Uint8Array.from(der, (char) => char.charCodeAt(0));
}

/**
 * Parses `spec.request`, base64 of PEM, without verifying the signature. Follows kubernetes
 * pkg/apis/certificates/helpers.go ParseCSR.
 */
export function readCertificateRequest(request: string): CertificateRequestReading {
  const bytes = bytesIn(request);
  if (bytes === undefined) return { outcome: 'corrupt', error: 'PEM block type must be CERTIFICATE REQUEST' };
  const subject = subjectOf(bytes);
  if (!subject) return { outcome: 'corrupt', error: "asn1: structure error: tags don't match" };
  const valuesOf = (type: string): readonly string[] => subject.flatMap((part) => valuesIn(part, type));
  return { outcome: 'read', organizations: valuesOf('85,4,10'), commonName: valuesOf('85,4,3').at(-1) ?? '' };
}

const texts = new Set<number>([12, 18, 19, 20, 22, derTags.bmpString]);

/** CertificationRequestInfo is version, subject and public key. */
function subjectOf(bytes: Uint8Array): readonly Element[] | undefined {
  const [request, ...behind] = elementsOf(bytes) ?? [];
  const [information, ...signature] = sequenceParts(request);
  const [version, subject] = sequenceParts(information);
  const isRequest = behind.length === 0 && signature.length === 2 && version?.tag === derTags.integer;
  return isRequest && subject?.tag === derTags.sequence ? elementsOf(subject.content) : undefined;
}

/** `wanted`: O is 2.5.4.10, CN is 2.5.4.3. */
function valuesIn({ tag, content }: Element, wanted: string): readonly string[] {
  if (tag !== derTags.set) return [];
  return (elementsOf(content) ?? []).flatMap((attribute) => {
    const [type, value] = elementsOf(attribute.content) ?? [];
    const isWanted = type?.tag === derTags.objectIdentifier && String(type.content) === wanted;
    if (!isWanted || value === undefined || !texts.has(value.tag)) return [];
    return [new TextDecoder(value.tag === derTags.bmpString ? 'utf-16be' : 'utf-8').decode(value.content)];
  });
}
