import { invalidValue, required, type FieldError } from '../../../machinery/meta/field-error.ts';
import { parseGoUrl } from '../../../machinery/go/go-url.ts';
import { asObject, asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { dns1123Subdomain, portNumber } from '../../../machinery/meta/names.ts';
import type { ServiceReference, WebhookClientConfig } from '../../types/generated/admissionregistration-v1.ts';

/** caBundle is not checked (rules CFG-34 to CFG-39). */
export function validateClientConfig(config: JsonValue | undefined, path: string): readonly FieldError[] {
  const { url, service }: WebhookClientConfig = asObject(config);
  const hasUrl = typeof url === 'string';
  if (hasUrl === isJsonObject(service)) return [required(path, 'exactly one of url or service is required')];
  return hasUrl ? validateWebhookUrl(url, `${path}.url`) : validateService(asObject(service), `${path}.service`);
}

const form = '; desired format: https://host[/path]';

/** Follows apiserver pkg/util/webhook/validation.go ValidateWebhookURL. */
export function validateWebhookUrl(text: string, path: string): readonly FieldError[] {
  const reading = parseGoUrl(text);
  if (reading.outcome === 'unparsable') return [required(path, `url must be a valid URL: ${reading.error}${form}`)];
  const { scheme, host, userinfo, fragment, query } = reading.url;
  const errors: FieldError[] = [];
  if (scheme !== 'https') errors.push(invalidValue(path, scheme, `'https' is the only allowed URL scheme${form}`));
  if (host === '') errors.push(invalidValue(path, host, `host must be specified${form}`));
  if (userinfo !== undefined) {
    errors.push(invalidValue(path, userinfo, 'user information is not permitted in the URL'));
  }
  if (fragment !== '') errors.push(invalidValue(path, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(invalidValue(path, query, 'query parameters are not permitted in the URL'));
  return errors;
}

/** Upstream's caller swaps name and namespace (rule CFG-36). */
const validateService = ({ name, namespace, ...more }: ServiceReference, path: string): readonly FieldError[] =>
  validateWebhookService({ ...more, name: asString(namespace), namespace: asString(name) }, path);

/** Follows apiserver pkg/util/webhook/validation.go ValidateWebhookService. */
export function validateWebhookService(service: ServiceReference, path: string): readonly FieldError[] {
  const port = typeof service.port === 'number' ? service.port : 0;
  const portErrors = portNumber(port);
  return [
    ...(asString(service.name) === '' ? [required(`${path}.name`, '')] : []),
    ...(asString(service.namespace) === '' ? [required(`${path}.namespace`, '')] : []),
    ...(portErrors.length === 0
      ? []
      : [invalidValue(`${path}.port`, port, `port is not valid: ${portErrors.join(', ')}`)]),
    ...validatePath(asString(service.path), `${path}.path`),
  ];
}

function validatePath(text: string, path: string): readonly FieldError[] {
  const invalid = (detail: string): FieldError => invalidValue(path, text, detail);
  if (text === '' || text === '/') return [];
  if (text === '//') return [invalid('segment[0] may not be empty')];
  const segments = text.slice(1).replace(/\/$/, '').split('/');
  const segmentErrors = segments.flatMap((segment, index) =>
    segment === ''
      ? [invalid(`segment[${index}] may not be empty`)]
      : dns1123Subdomain(segment).map((error) => invalid(`segment[${index}]: ${error}`)),
  );
  return text.startsWith('/') ? segmentErrors : [invalid("must start with a '/'"), ...segmentErrors];
}
