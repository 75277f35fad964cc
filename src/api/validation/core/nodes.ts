import { validateText, validateRequiredEnum, each, errorIf, eachKey, type FieldErrors } from '../field-rules.ts';
import { duplicate, forbiddenField, invalidValue } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { labelValueErrors, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import type { Node, NodeSpec, Taint } from '../../types/generated/core-v1.ts';
import { validateLegacyCidr } from './ip-address.ts';
import { isNative } from './resources.ts';
import { parseAmount, isWhole } from '../meta/quantity-amount.ts';

/** Follows kubernetes pkg/apis/core/validation ValidateNode. */
export const validateNode = (node: Node): FieldErrors => [
  ...validateNodeTaints(asObject(node.spec).taints),
  ...validateNodeResources(node),
  ...validatePodCidrs(asList(asObject(node.spec).podCIDRs).map(asString)),
];

function validateNodeTaints(taints: readonly Taint[] | undefined): FieldErrors {
  const seen = new Set<string>();
  return each(taints, 'metadata.taints', (taint, at) => {
    const [key, value, effect] = [asString(taint.key), asString(taint.value), asString(taint.effect)];
    const wrong = labelValueErrors(value).join(';');
    const isRepeated = isDuplicate(seen, `${effect}:${key}`);
    const printed = { Key: key, Value: value, Effect: effect, TimeAdded: taint.timeAdded ?? null };
    return [
      ...validateText(qualifiedNameErrors, `${at}.key`, key),
      ...errorIf(wrong !== '', () => invalidValue(`${at}.value`, value, wrong)),
      ...validateRequiredEnum(`${at}.effect`, effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
      ...errorIf(isRepeated, () => ({
        ...duplicate(at, printed),
        detail: 'taints must be unique by key and effect pair',
      })),
    ];
  });
}

function validateNodeResources(node: Node): FieldErrors {
  const status = asObject(node.status);
  return (['capacity', 'allocatable'] as const).flatMap((field) => {
    const amounts = asObject(status[field]);
    return eachKey(amounts, (name) => {
      const [path, amount] = [`status.${field}.${name}`, amounts[name]];
      return [
        ...errorIf(parseAmount(amount) < 0n, () =>
          invalidValue(path, asString(amount), 'must be greater than or equal to 0'),
        ),
        ...errorIf(isIntegerResourceName(name) && !isWhole(amount), () =>
          invalidValue(path, asString(amount), 'must be an integer'),
        ),
      ];
    });
  });
}

/** Extended resources are integers. Follows kubernetes pkg/apis/core/helper IsIntegerResourceName. */
const isIntegerResourceName = (name: string): boolean =>
  ['pods', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps'].includes(name) ||
  (!isNative(name) && !name.startsWith('requests.'));

function validatePodCidrs(cidrs: readonly string[]): FieldErrors {
  const path = 'spec.podCIDRs';
  const wrong = cidrs.flatMap((cidr, index) => validateLegacyCidr(`${path}[${index}]`, cidr));
  const isDual = cidrs.length === 2 && cidrs.filter((cidr) => cidr.includes(':')).length === 1;
  return cidrs.length < 2 || isDual
    ? wrong
    : [...wrong, invalidValue(path, cidrs, 'may specify no more than one CIDR for each IP family')];
}

/** Follows kubernetes pkg/apis/core/validation ValidateNodeUpdate. */
export function validateNodeUpdate(node: Node, old: Node): FieldErrors {
  const [spec, oldSpec] = [asObject(node.spec), asObject(old.spec)];
  return [
    ...validateNodeResources(node),
    ...validateNodeAddresses(node),
    ...validateImmutableNodeSpec(spec, oldSpec),
    ...validateNodeTaints(spec.taints),
  ];
}

function validateNodeAddresses(node: Node): FieldErrors {
  const seen = new Set<string>();
  return each(asObject(node.status).addresses, 'status.addresses', ({ type, address }, at) => {
    const printed = { Type: asString(type), Address: asString(address) };
    const text = JSON.stringify(printed);
    const isRepeated = isDuplicate(seen, text);
    return errorIf(isRepeated, () => duplicate(at, printed));
  });
}

function validateImmutableNodeSpec(spec: NodeSpec, old: NodeSpec): FieldErrors {
  const [cidrs, before] = [asList(spec.podCIDRs), asList(old.podCIDRs)];
  const mayNot = 'node updates may not change podCIDR except from "" to valid';
  const changes = cidrs.length === before.length ? before.filter((cidr, index) => cidr !== cidrs[index]).length : 1;
  const provider = asString(old.providerID);
  return [
    ...(before.length === 0 || sameJson(cidrs, before)
      ? []
      : Array.from({ length: changes }, () => forbiddenField('spec.podCIDRs', mayNot))),
    ...errorIf(provider !== '' && provider !== asString(spec.providerID), () =>
      forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'),
    ),
    ...errorIf(asString(spec.externalID) !== asString(old.externalID), () =>
      forbiddenField('spec.externalID', 'may not be updated'),
    ),
  ];
}
