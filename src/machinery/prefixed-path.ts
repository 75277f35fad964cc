import { type FieldError, invalidValue, required } from './meta/field-error.ts';
import { dns1123Subdomain, regexText } from './meta/names.ts';

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathRegex = new RegExp(`^${httpPath}$`);

/** Follows apimachinery pkg/util/validation/validation.go IsDomainPrefixedPath. */
export function prefixedPathErrors(field: string, text: string): readonly FieldError[] {
  if (text === '') return [required(field, '')];
  const slash = text.indexOf('/');
  const [host, path] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 1 || path === '')
    return [invalidValue(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const ofHost = dns1123Subdomain(host).map((error) => invalidValue(field, host, error));
  return httpPathRegex.test(path)
    ? ofHost
    : [...ofHost, invalidValue(field, path, regexText('Invalid path', httpPath))];
}
