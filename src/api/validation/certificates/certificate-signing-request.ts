import { decodeBase64, readCertificateRequest } from './x509.ts';
import { validateRequiredEnum, validateEnum, each, eachText, errorIf, type FieldErrors } from '../field-rules.ts';
import { pemBlocks } from '../../../machinery/go/pem.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { duplicate, forbiddenField, invalidValue, required, tooLong } from '../../../machinery/meta/field-error.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { duplicateIndexes } from '../../../machinery/lists.ts';
import type * as certificates from '../../types/generated/certificates-v1.ts';
import { validateCoreObjectMeta, validateCoreObjectMetaUpdate } from '../meta/object-meta.ts';
import { dns1123Label, dns1123Subdomain, type TextCheck } from '../../../machinery/meta/names.ts';

const allUsages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const legacySigner = 'kubernetes.io/legacy-unknown';

/**
 * Existing errors are tolerated. Follows kubernetes pkg/apis/certificates/validation validateCertificateSigningRequest;
 * src/app/compose/request-signature.ts verifies the signature.
 */
export function validateCertificateSigningRequest(
  request: certificates.CertificateSigningRequest,
  old?: certificates.CertificateSigningRequest,
): FieldErrors {
  const [spec, oldSpec] = [asObject(request.spec), asObject(old?.spec)];
  const { expirationSeconds } = spec;
  const signer = asString(spec.signerName);
  const reading = readCertificateRequest(asString(spec.request));
  const isLegacy = signer === legacySigner && oldSpec.signerName !== legacySigner;
  return [
    ...(reading.outcome === 'corrupt' ? [invalidValue('spec.request', spec.request ?? null, reading.error)] : []),
    ...errorIf(asList(spec.usages).length === 0, () => required('spec.usages', '')),
    ...validateRatcheting(validateUsages, spec, oldSpec),
    ...(isLegacy
      ? [invalidValue('spec.signerName', signer, 'the legacy signerName is not allowed via this API version')]
      : validateSignerName(signer)),
    ...errorIf(expirationSeconds !== undefined && Number(expirationSeconds) < 600, () =>
      invalidValue(
        'spec.expirationSeconds',
        expirationSeconds ?? 0,
        'may not specify a duration less than 600 seconds (10 minutes)',
      ),
    ),
    ...validateConditions(asObject(request.status), asObject(old?.status)),
    ...validateCertificate(asObject(request.status).certificate, asObject(old?.status).certificate),
  ];
}

type Check = (holder: JsonObject) => FieldErrors;

/** Drops error types that the old object has. */
function validateRatcheting(
  check: Check,
  holder: certificates.CertificateSigningRequestSpec,
  old: certificates.CertificateSigningRequestSpec,
): FieldErrors {
  const before = new Set(check(old).map(({ type }) => type));
  return check(holder).filter(({ type }) => !before.has(type));
}

/** Upstream reports all unknown usages before all duplicates. */
const validateUsages: Check = ({ usages }: certificates.CertificateSigningRequestSpec) => {
  const repeats = duplicateIndexes(asList(usages).map(asString));
  return [
    ...eachText(usages, 'spec.usages', (usage, path) => validateEnum(path, usage, allUsages)),
    ...eachText(usages, 'spec.usages', (usage, path, index) =>
      errorIf(repeats.has(index), () => duplicate(path, usage)),
    ),
  ];
};

/** An unchanged certificate, or one after an invalid one, is not checked. */
function validateCertificate(certificate: JsonValue | undefined, old: JsonValue | undefined): FieldErrors {
  const [now, before] = [asString(certificate), asString(old)];
  if (now === '' || now === before || (before !== '' && findCertificateFault(before) !== undefined)) return [];
  const fault = findCertificateFault(now);
  return fault === undefined ? [] : [invalidValue('status.certificate', '<certificate data>', fault)];
}

const permanentTypes = ['Approved', 'Denied', 'Failed'];

function validateConditions(
  { conditions }: certificates.CertificateSigningRequestStatus,
  old: certificates.CertificateSigningRequestStatus,
): FieldErrors {
  const typesOf = (list: readonly certificates.CertificateSigningRequestCondition[]): readonly string[] =>
    list.map((item) => asString(asObject(item).type));
  const types = typesOf(asList(conditions));
  const before = typesOf(asList(old.conditions));
  const hadBoth = before.includes('Approved') && before.includes('Denied');
  const hadDoubles = new Set(before).size < before.length;
  const repeats = duplicateIndexes(types);
  const first = new Map(types.map((type, index) => [type, index] as const).toReversed());
  return each(conditions, 'status.conditions', ({ type: value, status: conditionStatus }, path, index) => {
    const [type, status] = [asString(value), asString(conditionStatus)];
    const allowed = permanentTypes.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    const opposite = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    return [
      ...errorIf(type === '' && !before.includes(''), () => required(`${path}.type`, '')),
      ...validateRequiredEnum(`${path}.status`, status, allowed),
      ...errorIf(!hadBoth && opposite !== undefined && (first.get(opposite) ?? index) < index, () =>
        invalidValue('status.conditions', type, 'Approved and Denied conditions are mutually exclusive'),
      ),
      ...errorIf(!hadDoubles && repeats.has(index), () => duplicate(`${path}.type`, type)),
    ];
  });
}

/** Follows validateCertificateSigningRequestUpdate. */
export function validateCertificateSigningRequestUpdate(
  request: certificates.CertificateSigningRequest,
  old: certificates.CertificateSigningRequest,
  subresource: string,
): FieldErrors {
  const [status, oldStatus] = [asObject(request.status), asObject(old.status)];
  const field = 'status.certificate';
  const isOther = !sameJson(status.certificate, oldStatus.certificate);
  const count = ({ conditions }: certificates.CertificateSigningRequestStatus, type: string): number =>
    asList(conditions).filter((condition) => asObject(condition).type === type).length;
  const metadata = metadataOf(request);
  return [
    ...validateCoreObjectMeta(metadata, false, () => []),
    ...validateCertificateSigningRequest(request, old),
    ...permanentTypes
      .filter((type) => count(status, type) < count(oldStatus, type))
      .map((type) => forbiddenField('status.conditions', `updates may not remove a condition of type "${type}"`)),
    ...(subresource === 'approval'
      ? []
      : ['Approved', 'Denied']
          .filter((type) => count(status, type) > count(oldStatus, type))
          .map((type) => forbiddenField('status.conditions', `updates may not add a condition of type "${type}"`))),
    ...errorIf(isOther && subresource !== 'status', () =>
      forbiddenField(field, 'updates may not set certificate content'),
    ),
    ...errorIf(isOther && subresource === 'status' && asString(oldStatus.certificate) !== '', () =>
      forbiddenField(field, 'updates may not modify existing certificate content'),
    ),
    ...validateCoreObjectMetaUpdate(metadata, metadataOf(old)),
  ];
}

/**
 * undefined when valid; certificates are not parsed. Follows kubernetes pkg/apis/certificates/validation
 * validateCertificate.
 */
function findCertificateFault(encoded: string): string | undefined {
  const blocks = [...pemBlocks(decodeBase64(encoded) ?? '')];
  const other = blocks.find(({ type }) => type !== 'CERTIFICATE');
  if (other) return `only CERTIFICATE PEM blocks are allowed, found "${other.type}"`;
  if (blocks.some(({ hasHeaders }) => hasHeaders)) return 'no PEM block headers are permitted';
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

/** Follows kubernetes pkg/apis/core/validation and pkg/apis/certificates ValidateSignerName. */
export function validateSignerName(signer: string): FieldErrors {
  const field = 'spec.signerName';
  if (signer === '') return [required(field, '')];
  const [domain = '', path, ...more] = signer.split('/');
  if (path === undefined || more.length > 0) {
    return [
      invalidValue(field, signer, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  }
  return [
    ...errorIf(domain.length > 253, () => tooLong(field, 253)),
    ...validateNameSegment(field, domain, dns1123Label),
    ...errorIf(!domain.includes('.'), () =>
      invalidValue(field, domain, 'should be a domain with at least two segments separated by dots'),
    ),
    ...validateNameSegment(field, path, dns1123Subdomain),
    ...errorIf(signer.length > 571, () => tooLong(field, 571)),
  ];
}

function validateNameSegment(field: string, segment: string, check: TextCheck): FieldErrors {
  const bad = segment.split('.').find((label) => check(label).length > 0);
  if (bad === undefined) return [];
  return check(bad).map((sentence) => invalidValue(field, segment, `validating label "${bad}": ${sentence}`));
}
