import { validateText, errorIf, type FieldErrors } from '../field-rules.ts';
import { base64Bytes } from '../../../machinery/go/base64-bytes.ts';
import { invalidValue, tooLong } from '../../../machinery/meta/field-error.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { pemBlocks, type PemBlock } from '../../../machinery/go/pem.ts';
import { parseElements, parseParts } from './x509.ts';
import type { ClusterTrustBundle } from '../../types/generated/certificates-v1beta1.ts';
import { subdomainName, validateImmutableField } from '../meta/object-meta.ts';
import { validateSignerName } from './certificate-signing-request.ts';

const field = 'spec.trustBundle';
const maxBytes = 1024 * 1024;

/**
 * Only the CA bit of a certificate is checked. Follows kubernetes pkg/apis/certificates/validation
 * ValidateClusterTrustBundle.
 */
export function validateClusterTrustBundle(bundle: ClusterTrustBundle, old?: ClusterTrustBundle): FieldErrors {
  const { signerName, trustBundle } = asObject(bundle.spec);
  const signer = asString(signerName);
  const isSame = old !== undefined && asObject(old.spec).trustBundle === trustBundle;
  return [
    ...validateText((name) => nameErrors(name, signer), 'metadata.name', metadataOf(bundle).name ?? ''),
    ...(signer === '' ? [] : validateSignerName(signer)),
    ...(isSame ? [] : validateTrustAnchors(asString(trustBundle))),
  ];
}

/** Follows ValidateClusterTrustBundleUpdate. */
export const validateClusterTrustBundleUpdate = (bundle: ClusterTrustBundle, old: ClusterTrustBundle): FieldErrors => {
  const [signer, before] = [bundle, old].map((item) => asString(asObject(item.spec).signerName));
  return [...validateClusterTrustBundle(bundle, old), ...validateImmutableField('spec.signerName', signer, before, '')];
};

/** Follows pkg/apis/core/validation/names.go ValidateClusterTrustBundleName. */
function nameErrors(name: string, signer: string): readonly string[] {
  if (signer === '') {
    if (name.includes(':')) return ['ClusterTrustBundle without signer name must not have ":" in its name'];
    return subdomainName(name, false);
  }
  const prefix = `${signer.replaceAll('/', ':')}:`;
  if (name.startsWith(prefix)) return subdomainName(name.slice(prefix.length), false);
  return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
}

function validateTrustAnchors(pem: string): FieldErrors {
  if (new TextEncoder().encode(pem).length > maxBytes) return [tooLong(field, maxBytes)];
  const blocks = [...pemBlocks(pem)];
  const faults = blocks.flatMap((block, at) => findBlockFault(block, at) ?? []);
  if (faults.length > 0) return faults.map((fault) => invalidValue(field, omittedValue, fault));
  const places = new Map<string, number[]>();
  for (const [at, { base64 }] of blocks.entries()) {
    const found = places.get(base64);
    if (found) found.push(at);
    else places.set(base64, [at]);
  }
  return [
    ...errorIf(blocks.length === 0, () =>
      invalidValue(field, omittedValue, 'at least one trust anchor must be provided'),
    ),
    ...[...places.values()]
      .filter((indices) => indices.length > 1)
      .map((indices) => invalidValue(field, omittedValue, `duplicate trust anchor (indices [${indices.join(' ')}])`)),
  ];
}

const omittedValue = '<value omitted>';

function findBlockFault({ type, hasHeaders, base64 }: PemBlock, at: number): string | undefined {
  if (type !== 'CERTIFICATE') return `entry ${at} has bad block type: ${type}`;
  if (hasHeaders) return `entry ${at} has PEM block headers`;
  const isAuthority = parseIsAuthority(base64);
  if (isAuthority === undefined) return `entry ${at} does not parse as X.509`;
  return isAuthority ? undefined : `entry ${at} does not have the CA bit set`;
}

const extensionsTag = 0xa3;
const basicConstraints = '85,29,19';

/** undefined for anything but a certificate. */
function parseIsAuthority(base64: string): boolean | undefined {
  const [certificate] = parseElements(decodeBytes(base64)) ?? [];
  const [information, algorithm, signature] = parseParts(certificate);
  if (!information || !algorithm || !signature || !parseElements(information.content)) return undefined;
  const [extensions] = parseParts(parseParts(information).find(({ tag }) => tag === extensionsTag));
  const found = parseParts(extensions).find(
    (extension) => String(parseParts(extension)[0]?.content) === basicConstraints,
  );
  const [constraints] = parseParts(parseParts(found).at(-1));
  const [authority] = parseParts(constraints);
  return authority?.tag === 1 && authority.content[0] === 0xff;
}

function decodeBytes(base64: string): Uint8Array {
  try {
    return base64Bytes(base64);
  } catch {
    return new Uint8Array();
  }
}
