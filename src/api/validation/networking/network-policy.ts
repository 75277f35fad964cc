import {
  validateOptionalEnum,
  validatePortNum,
  validateEnum,
  validateText,
  each,
  eachText,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { forbiddenField, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { portName } from '../../../machinery/meta/names.ts';
import type * as networking from '../../types/generated/networking-v1.ts';
import { isCidr, validateLegacyCidr } from '../core/ip-address.ts';
import { validateLabelSelector } from '../meta/labels.ts';

/** The file follows kubernetes pkg/apis/networking/validation ValidateNetworkPolicySpec. */
export function validateNetworkPolicy(policy: networking.NetworkPolicy): FieldErrors {
  const spec = asObject(policy.spec);
  const types = asList(spec.policyTypes).map(asString);
  const errors = [
    ...validateLabelSelector(spec.podSelector, 'spec.podSelector'),
    ...each(spec.ingress, 'spec.ingress', (rule, at) => validateNetworkPolicyRule(rule, at, 'from')),
    ...each(spec.egress, 'spec.egress', (rule, at) => validateNetworkPolicyRule(rule, at, 'to')),
  ];
  if (types.length > policyTypes.length) {
    return [...errors, invalidValue('spec.policyTypes', types, 'may not specify more than two policyTypes')];
  }
  const wrong = types.flatMap((type, index) => validateEnum(`spec.policyTypes[${index}]`, type, policyTypes));
  return [...errors, ...wrong];
}

const policyTypes = ['Ingress', 'Egress'];

const validateNetworkPolicyRule = (
  rule: networking.NetworkPolicyIngressRule & networking.NetworkPolicyEgressRule,
  path: string,
  peers: 'from' | 'to',
): FieldErrors => [
  ...each(rule.ports, `${path}.ports`, validateNetworkPolicyPort),
  ...each(rule[peers], `${path}.${peers}`, validateNetworkPolicyPeer),
];

const protocols = ['TCP', 'UDP', 'SCTP'];

function validateNetworkPolicyPort(
  { protocol, port, endPort }: networking.NetworkPolicyPort,
  path: string,
): FieldErrors {
  const last = `${path}.endPort`;
  const wrong = validateOptionalEnum(`${path}.protocol`, protocol, protocols);
  const misplaced = (text: string): FieldErrors =>
    errorIf(endPort !== undefined, () => invalidValue(last, endPort ?? 0, text));
  if (port === undefined) return [...wrong, ...misplaced('may not be specified when `port` is not specified')];
  if (typeof port === 'string') {
    return [
      ...wrong,
      ...misplaced('may not be specified when `port` is non-numeric'),
      ...validateText(portName, `${path}.port`, port),
    ];
  }
  return [
    ...wrong,
    ...validatePortNum(`${path}.port`, Number(port)),
    ...errorIf(endPort !== undefined && Number(endPort) < Number(port), () =>
      invalidValue(last, endPort ?? 0, 'must be greater than or equal to `port`'),
    ),
    ...(endPort === undefined ? [] : validatePortNum(last, Number(endPort))),
  ];
}

function validateNetworkPolicyPeer(
  { podSelector, namespaceSelector, ipBlock }: networking.NetworkPolicyPeer,
  path: string,
): FieldErrors {
  const peers = [podSelector, namespaceSelector, ipBlock].filter((peer) => peer !== undefined).length;
  return [
    ...validateLabelSelector(podSelector, `${path}.podSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...(ipBlock === undefined ? [] : validateIpBlock(asObject(ipBlock), `${path}.ipBlock`)),
    ...errorIf(peers === 0, () => required(path, 'must specify a peer')),
    ...errorIf(peers > 1 && ipBlock !== undefined, () =>
      forbiddenField(path, 'may not specify both ipBlock and another peer'),
    ),
  ];
}

function validateIpBlock({ cidr, except }: networking.IPBlock, path: string): FieldErrors {
  const range = asString(cidr);
  if (range === '') return [required(`${path}.cidr`, '')];
  const errors = validateLegacyCidr(`${path}.cidr`, range);
  if (!isCidr(range)) return errors;
  const others = eachText(except, `${path}.except`, (text, at) => {
    const wrong = validateLegacyCidr(at, text);
    if (!isCidr(text)) return wrong;
    const outside = errorIf(!isStrictSubset(text, range), () =>
      invalidValue(at, text, 'must be a strict subset of `cidr`'),
    );
    return [...wrong, ...outside];
  });
  return [...errors, ...others];
}

/** Whether the first network is a proper subset of the second. */
function isStrictSubset(inner: string, outer: string): boolean {
  const [[a, bits], [b, length]] = [parseNetwork(inner), parseNetwork(outer)];
  return a.length === b.length && bits > length && a.slice(0, length) === b.slice(0, length);
}

/** The address as binary text, and the prefix length. */
function parseNetwork(cidr: string): readonly [bits: string, length: number] {
  const [address = '', length] = cidr.split('/');
  const isV6 = address.includes(':');
  const parts = isV6 ? parseIpv6Groups(address) : address.split('.').map(Number);
  return [parts.map((part) => part.toString(2).padStart(isV6 ? 16 : 8, '0')).join(''), Number(length)];
}

function parseIpv6Groups(address: string): readonly number[] {
  const dotted = address.slice(address.lastIndexOf(':') + 1);
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  const text = dotted.includes('.')
    ? `${address.slice(0, -dotted.length)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
    : address;
  const [head = '', tail] = text.split('::');
  const read = (half: string): readonly number[] =>
    half === '' ? [] : half.split(':').map((group) => parseInt(group, 16));
  if (tail === undefined) return read(head);
  const missing = 8 - read(head).length - read(tail).length;
  return [...read(head), ...Array.from({ length: missing }, () => 0), ...read(tail)];
}
