/** What a PKCS#10 request says of its subject, or why it cannot be read. */
export type CertificateRequestReading =
  | { readonly outcome: 'read'; readonly organizations: readonly string[]; readonly commonName: string }
  | { readonly outcome: 'corrupt'; readonly error: string };

const begin = '-----BEGIN CERTIFICATE REQUEST-----';
const end = '-----END CERTIFICATE REQUEST-----';

/** What somebody who has the key has signed, as DER but for the signature itself. */
export interface SignedRequest {
  readonly signed: Uint8Array;
  readonly publicKey: Uint8Array;
  /** The object identifier of the algorithm, its bytes with commas. */
  readonly algorithm: string;
  readonly signature: Uint8Array;
}

/** What is signed in a request that can be read; undefined for any other. */
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
 * Reads `spec.request` of a CertificateSigningRequest: PEM in base64. Its signature is looked at where keys are known.
 * Follows kubernetes pkg/apis/certificates/helpers.go ParseCSR.
 */
export function readCertificateRequest(request: string): CertificateRequestReading {
  const bytes = bytesIn(request);
  if (bytes === undefined) return { outcome: 'corrupt', error: 'PEM block type must be CERTIFICATE REQUEST' };
  const subject = subjectOf(bytes);
  if (!subject) return { outcome: 'corrupt', error: "asn1: structure error: tags don't match" };
  const valuesOf = (type: string): readonly string[] => subject.flatMap((part) => valuesIn(part, type));
  return { outcome: 'read', organizations: valuesOf('85,4,10'), commonName: valuesOf('85,4,3').at(-1) ?? '' };
}

/** The bytes of a base64 text, each as a character. */
function decoded(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}

const tags = { integer: 2, bitString: 3, objectIdentifier: 6, bmpString: 30, sequence: 48, set: 49 } as const;
const texts = new Set<number>([12, 18, 19, 20, 22, tags.bmpString]);

/** The parts of the subject: request, its information, version, then the name. */
function subjectOf(bytes: Uint8Array): readonly Element[] | undefined {
  const [request, ...behind] = elementsOf(bytes) ?? [];
  const [information, ...signature] = partsOf(request);
  const [version, subject] = partsOf(information);
  const isRequest = behind.length === 0 && signature.length === 2 && version?.tag === tags.integer;
  return isRequest && subject?.tag === tags.sequence ? elementsOf(subject.content) : undefined;
}

const partsOf = (element: Element | undefined): readonly Element[] =>
  element?.tag === tags.sequence ? (elementsOf(element.content) ?? []) : [];

/** The values of `O` (2.5.4.10), `CN` (2.5.4.3) and their like in one part of a name. */
function valuesIn({ tag, content }: Element, wanted: string): readonly string[] {
  if (tag !== tags.set) return [];
  return (elementsOf(content) ?? []).flatMap((attribute) => {
    const [type, value] = elementsOf(attribute.content) ?? [];
    const isWanted = type?.tag === tags.objectIdentifier && String(type.content) === wanted;
    if (!isWanted || value === undefined || !texts.has(value.tag)) return [];
    return [new TextDecoder(value.tag === tags.bmpString ? 'utf-16be' : 'utf-8').decode(value.content)];
  });
}

/** One value of ASN.1 in DER: its tag and what is in it. */
export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Both, and how long it is. */
  readonly whole: Uint8Array;
}

/** The DER elements that stand one behind the other; undefined where a length leads outside. */
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
