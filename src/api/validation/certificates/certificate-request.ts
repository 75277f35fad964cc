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
  const [information, algorithm, signature] = partsOf(whole);
  const [, , publicKey] = partsOf(information);
  const [type] = partsOf(algorithm);
  if (!information || !publicKey || !type || signature?.tag !== tags.bitString) return undefined;
  return {
    signed: information.whole,
    publicKey: publicKey.whole,
    algorithm: String(type.content),
    signature: signature.content.subarray(1), // behind the number of unused bits
  };
}

function bytesIn(request: string): Uint8Array | undefined {
  const pem = decoded(request) ?? '';
  const from = pem.indexOf(begin);
  const to = pem.indexOf(end, from);
  const der = from < 0 || to < 0 ? undefined : decoded(pem.slice(from + begin.length, to));
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

/** One character per byte. */
function decoded(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}

const tags = { integer: 2, bitString: 3, objectIdentifier: 6, bmpString: 30, sequence: 48, set: 49 } as const;
const texts = new Set<number>([12, 18, 19, 20, 22, tags.bmpString]);

/** CertificationRequestInfo is version, subject and public key. */
function subjectOf(bytes: Uint8Array): readonly Element[] | undefined {
  const [request, ...behind] = elementsOf(bytes) ?? [];
  const [information, ...signature] = partsOf(request);
  const [version, subject] = partsOf(information);
  const isRequest = behind.length === 0 && signature.length === 2 && version?.tag === tags.integer;
  return isRequest && subject?.tag === tags.sequence ? elementsOf(subject.content) : undefined;
}

const partsOf = (element: Element | undefined): readonly Element[] =>
  element?.tag === tags.sequence ? (elementsOf(element.content) ?? []) : [];

/** `wanted`: O is 2.5.4.10, CN is 2.5.4.3. */
function valuesIn({ tag, content }: Element, wanted: string): readonly string[] {
  if (tag !== tags.set) return [];
  return (elementsOf(content) ?? []).flatMap((attribute) => {
    const [type, value] = elementsOf(attribute.content) ?? [];
    const isWanted = type?.tag === tags.objectIdentifier && String(type.content) === wanted;
    if (!isWanted || value === undefined || !texts.has(value.tag)) return [];
    return [new TextDecoder(value.tag === tags.bmpString ? 'utf-16be' : 'utf-8').decode(value.content)];
  });
}

/** An ASN.1 DER element. */
export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Tag, length and content. */
  readonly whole: Uint8Array;
}

/** undefined when a length exceeds the input. */
export function elementsOf(bytes: Uint8Array): readonly Element[] | undefined {
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
