import { invalidValue, required } from '../../apimachinery/field-error.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { dns1123Subdomain } from '../../apimachinery/names.ts';
import { when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';

/** Follows kubernetes pkg/apis/certificates/validation validateCertificateSigningRequest; the request inside is not parsed. */
export function validateCertificateSigningRequest(request: KubernetesObject): Complaints {
  const spec = asObject(request['spec']);
  const [text, signer] = [asString(spec['request']), asString(spec['signerName'])];
  const { expirationSeconds } = spec;
  const isPem = pemMarks.some((mark) => text.includes(mark));
  return [
    ...when(!isPem, () => invalidValue('spec.request', text, 'PEM block type must be CERTIFICATE REQUEST')),
    ...when(asList(spec['usages']).length === 0, () => required('spec.usages', '')),
    ...signerErrors(signer),
    ...when(expirationSeconds !== undefined && Number(expirationSeconds) < 600, () =>
      invalidValue(
        'spec.expirationSeconds',
        expirationSeconds ?? 0,
        'may not specify a duration less than 600 seconds (10 minutes)',
      ),
    ),
  ];
}

/** `CERTIFICATE REQUEST` in base64, at each of the three places it can begin at. */
const pemMarks = ['Q0VSVElGSUNBVEUgUkVRVUVTV', 'NFUlRJRklDQVRFIFJFUVVFU1', 'DRVJUSUZJQ0FURSBSRVFVRVNU'];

function signerErrors(signer: string): Complaints {
  const field = 'spec.signerName';
  if (signer === '') return [required(field, '')];
  const [domain = '', ...path] = signer.split('/');
  if (path.length !== 1) {
    return [
      invalidValue(field, signer, 'must be a fully qualified domain and path of the form "example.com/signer-name"'),
    ];
  }
  const errors = dns1123Subdomain(domain);
  return [
    ...errors.map((sentence) => invalidValue(field, domain, `validating label "${domain}": ${sentence}`)),
    ...when(errors.length === 0 && !domain.includes('.'), () =>
      invalidValue(field, domain, 'should be a domain with at least two segments separated by dots'),
    ),
  ];
}
