import { invalidValue, required, tooLong } from '../../../machinery/meta/field-error.ts';
import { dns1123Label, dns1123Subdomain, type TextCheck } from '../../../machinery/meta/names.ts';
import { when, type Complaints } from '../field-rules.ts';

/** Follows kubernetes pkg/apis/core/validation and pkg/apis/certificates ValidateSignerName. */
export function signerNameErrors(signer: string): Complaints {
  const field = 'spec.signerName';
  if (signer === '') return [required(field, '')];
  const [domain = '', path, ...more] = signer.split('/');
  if (path === undefined || more.length > 0) {
    return [
      invalidValue(field, signer, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  }
  return [
    ...when(domain.length > 253, () => tooLong(field, 253)),
    ...firstBadLabel(field, domain, dns1123Label),
    ...when(!domain.includes('.'), () =>
      invalidValue(field, domain, 'should be a domain with at least two segments separated by dots'),
    ),
    ...firstBadLabel(field, path, dns1123Subdomain),
    ...when(signer.length > 571, () => tooLong(field, 571)),
  ];
}

function firstBadLabel(field: string, segment: string, check: TextCheck): Complaints {
  const bad = segment.split('.').find((label) => check(label).length > 0);
  if (bad === undefined) return [];
  return check(bad).map((sentence) => invalidValue(field, segment, `validating label "${bad}": ${sentence}`));
}
