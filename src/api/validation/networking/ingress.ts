import {
  validateOptionalText,
  validateTextPointer,
  validateText,
  validateOptionalEnum,
  validateRequiredText,
  validatePortNum,
  type FieldErrors,
  each,
  eachText,
  errorIf,
} from '../field-rules.ts';
import { forbiddenField, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { dns1123Label, dns1123Subdomain, pathSegmentName, portName, regexText } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type * as networking from '../../types/generated/networking-v1.ts';
import type { TypedLocalObjectReference } from '../../types/generated/core-v1.ts';
import { isIpAddress, validateIp } from '../core/ip-address.ts';
import { validateLoadBalancerHostname } from '../core/service.ts';
import { subdomainName, validateImmutableField, validateCoreObjectMeta } from '../meta/object-meta.ts';

const classAnnotation = 'kubernetes.io/ingress.class';

/** The file follows kubernetes pkg/apis/networking/validation ValidateIngressCreate. */
export function validateIngress(ingress: networking.Ingress): FieldErrors {
  const spec = asObject(ingress.spec);
  const annotation = metadataOf(ingress).annotations?.[classAnnotation];
  const name = spec.ingressClassName;
  const differs = annotation !== undefined && name !== undefined && annotation !== name;
  return [
    ...validateIngressSpec(spec),
    ...errorIf(differs, () =>
      invalidValue(
        `annotations.${classAnnotation}`,
        annotation ?? '',
        'must match `ingressClassName` when both are specified',
      ),
    ),
  ];
}

export const validateIngressUpdate = (
  ingress: networking.Ingress,
  _old: networking.Ingress,
  subresource: string,
): FieldErrors =>
  subresource === 'status' ? validateIngressLoadBalancerStatus(ingress) : validateIngressSpec(asObject(ingress.spec));

/** Follows kubernetes pkg/apis/networking/validation ValidateIngressLoadBalancerStatus. */
const validateIngressLoadBalancerStatus = (ingress: networking.Ingress): FieldErrors =>
  each(asObject(asObject(ingress.status).loadBalancer).ingress, 'status.loadBalancer.ingress', (point, at) => {
    const [ip, hostname] = [asString(point.ip), asString(point.hostname)];
    return [
      ...(ip === '' ? [] : validateIp(`${at}.ip`, ip)),
      ...validateLoadBalancerHostname(hostname, `${at}.hostname`),
    ];
  });

function validateIngressSpec(spec: networking.IngressSpec): FieldErrors {
  const { defaultBackend, ingressClassName } = spec;
  const needsContent = asList(spec.rules).length === 0 && defaultBackend === undefined;
  return [
    ...errorIf(needsContent, () =>
      invalidValue('spec', spec.rules ?? null, 'either `defaultBackend` or `rules` must be specified'),
    ),
    ...(defaultBackend === undefined ? [] : validateIngressBackend(asObject(defaultBackend), 'spec.defaultBackend')),
    ...each(spec.rules, 'spec.rules', validateIngressRule),
    ...each(spec.tls, 'spec.tls', validateIngressTls),
    ...validateTextPointer(dns1123Subdomain, 'spec.ingressClassName', ingressClassName),
  ];
}

const wildcard = regexText(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*',
  '*.example.com',
);

const hostNameErrors = (host: string): readonly string[] => {
  if (!host.includes('*')) return dns1123Subdomain(host);
  return host.startsWith('*.') && dns1123Subdomain(host.slice(2)).length === 0 ? [] : [wildcard];
};

function validateIngressRule(rule: networking.IngressRule, path: string): FieldErrors {
  const host = asString(rule.host);
  const { paths } = asObject(rule.http);
  const hostErrors = isIpAddress(host)
    ? [invalidValue(`${path}.host`, host, 'must be a DNS name, not an IP address')]
    : validateText(host === '' ? () => [] : hostNameErrors, `${path}.host`, host);
  if (rule.http === undefined) return hostErrors;
  const pathsField = `${path}.http.paths`;
  return [
    ...hostErrors,
    ...errorIf(asList(paths).length === 0, () => required(pathsField, '')),
    ...each(paths, pathsField, validateHttpIngressPath),
  ];
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const invalidPathSequences = ['//', '/./', '/../', '%2f', '%2F'];
const invalidPathSuffixes = ['/..', '/.'];

function validateHttpIngressPath(item: networking.HTTPIngressPath, at: string): FieldErrors {
  if ((item.pathType ?? undefined) === undefined) return [required(`${at}.pathType`, 'pathType must be specified')];
  const [path, pathType] = [asString(item.path), asString(item.pathType)];
  return [
    ...validateOptionalEnum(`${at}.pathType`, pathType, pathTypes),
    ...validatePathText(path, pathType, `${at}.path`),
    ...validateIngressBackend(asObject(item.backend), `${at}.backend`),
  ];
}

function validatePathText(path: string, pathType: string, field: string): FieldErrors {
  const isAbsolute = path.startsWith('/');
  if (pathType === 'ImplementationSpecific') {
    return errorIf(path !== '' && !isAbsolute, () => invalidValue(field, path, 'must be an absolute path'));
  }
  if (pathType !== 'Exact' && pathType !== 'Prefix') return [];
  return [
    ...errorIf(!isAbsolute, () => invalidValue(field, path, 'must be an absolute path')),
    ...invalidPathSequences
      .filter((sequence) => path.includes(sequence))
      .map((sequence) => invalidValue(field, path, `must not contain '${sequence}'`)),
    ...invalidPathSuffixes
      .filter((suffix) => path.endsWith(suffix))
      .map((suffix) => invalidValue(field, path, `cannot end with '${suffix}'`)),
  ];
}

function validateIngressBackend(backend: networking.IngressBackend, path: string): FieldErrors {
  const { service, resource } = backend;
  if (service === undefined && resource === undefined) {
    return [invalidValue(path, '', 'resource or service backend is required')];
  }
  if (service !== undefined && resource !== undefined) {
    return [invalidValue(path, '', 'cannot set both resource and service backends')];
  }
  if (service === undefined) return validateIngressTypedLocalObjectReference(resource, `${path}.resource`);
  return validateIngressServiceBackend(asObject(service), `${path}.service`, path);
}

function validateIngressTypedLocalObjectReference(
  resource: TypedLocalObjectReference | undefined,
  path: string,
): FieldErrors {
  const { apiGroup, kind, name } = asObject(resource);
  return [
    ...validateTextPointer(dns1123Subdomain, `${path}.apiGroup`, apiGroup),
    ...validateRequiredText(pathSegmentName, `${path}.kind`, kind),
    ...validateRequiredText(pathSegmentName, `${path}.name`, name),
  ];
}

function validateIngressServiceBackend(
  service: networking.IngressServiceBackend,
  path: string,
  backendPath: string,
): FieldErrors {
  const { name, number = 0 } = asObject(service.port);
  const [portText, portNumber] = [asString(name), Number(number)];
  const both = portText !== '' && portNumber !== 0;
  return [
    ...validateRequiredText(dns1123Label, `${path}.name`, service.name),
    ...errorIf(both, () => invalidValue(backendPath, '', 'cannot set both port name & port number')),
    ...(portText !== '' && !both ? validateText(portName, `${path}.port.name`, portText) : []),
    ...(portNumber !== 0 && !both ? validatePortNum(`${path}.port.number`, portNumber) : []),
    ...errorIf(portText === '' && portNumber === 0, () => required(backendPath, 'port name or number is required')),
  ];
}

const validateIngressTls = (tls: networking.IngressTLS, path: string): FieldErrors => [
  ...eachText(tls.hosts, `${path}.hosts`, (host, at) => validateText(hostNameErrors, at, host)),
  ...validateOptionalText(dns1123Subdomain, `${path}.secretName`, tls.secretName),
];

/** Follows kubernetes pkg/apis/networking/validation ValidateIngressClass. */
export function validateIngressClass(ingressClass: networking.IngressClass): FieldErrors {
  const { controller, parameters } = asObject(ingressClass.spec);
  return [
    ...validateIngressClassController(asString(controller)),
    ...(parameters === undefined ? [] : validateIngressClassParametersReference(asObject(parameters))),
  ];
}

function validateIngressClassController(name: string): FieldErrors {
  const [domain = '', ...path] = name.split('/');
  if (name === '') return [required('spec.controller', '')];
  if (name.length > 250) {
    return [{ type: 'FieldValueTooLong', field: 'spec.controller', detail: 'may not be more than 250 bytes' }];
  }
  return errorIf(path.length === 0 || dns1123Subdomain(domain).length > 0, () =>
    invalidValue('spec.controller', name, 'must be a domain-prefixed path (such as "acme.io/foo")'),
  );
}

/** Follows kubernetes pkg/apis/networking/validation validateIngressClassParametersReference. */
function validateIngressClassParametersReference(parameters: networking.IngressClassParametersReference): FieldErrors {
  const { apiGroup, kind, name, scope, namespace } = parameters;
  const path = 'spec.parameters';
  const isNamed = namespace !== undefined;
  return [
    ...validateTextPointer(dns1123Subdomain, `${path}.apiGroup`, apiGroup),
    ...validateRequiredText(pathSegmentName, `${path}.kind`, kind),
    ...validateRequiredText(pathSegmentName, `${path}.name`, name),
    ...(scope === undefined
      ? [required(`${path}.scope`, '')]
      : validateOptionalEnum(`${path}.scope`, scope, ['Cluster', 'Namespace'])),
    ...errorIf(scope === 'Namespace' && !isNamed, () =>
      required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"),
    ),
    ...(scope === 'Namespace' && isNamed ? validateText(dns1123Label, `${path}.namespace`, asString(namespace)) : []),
    ...errorIf(scope === 'Cluster' && isNamed, () =>
      forbiddenField(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"),
    ),
  ];
}

export const validateIngressClassUpdate = (
  ingressClass: networking.IngressClass,
  old: networking.IngressClass,
): FieldErrors => [
  ...validateImmutableField(
    'spec.controller',
    asObject(ingressClass.spec).controller,
    asObject(old.spec).controller,
    '',
  ),
  ...validateCoreObjectMeta(metadataOf(ingressClass), false, subdomainName),
  ...validateIngressClass(ingressClass),
];
