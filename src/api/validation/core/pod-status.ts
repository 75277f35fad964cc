import { duplicate, forbiddenField, invalidValue } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { dns1123Subdomain, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { isDuplicate } from '../../../machinery/repeats.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { each, following, when, eachOf, none, type Complaints } from '../field-rules.ts';
import { strictIp } from './ip-address.ts';

/** The file follows kubernetes pkg/apis/core/validation ValidatePodStatusUpdate. */
export function conditionErrors(status: core.PodStatus): Complaints {
  return each(status.conditions, 'status.conditions', (condition, at) => {
    const [type, generation] = [asString(condition.type), Number(condition.observedGeneration ?? 0)];
    return [
      ...when(generation < 0, () =>
        invalidValue(`${at}.observedGeneration`, generation, 'must be a non-negative integer'),
      ),
      ...(systemConditions.has(type) ? [] : following(qualifiedNameErrors, `${at}.Type`, type)),
    ];
  });
}

const systemConditions = new Set(['PodScheduled', 'Ready', 'Initialized']);

export function nominationErrors(status: core.PodStatus, old: core.PodStatus, oldNode: string): Complaints {
  const field = 'status.nominatedNodeName';
  const name = asString(status.nominatedNodeName);
  const generation = Number(status.observedGeneration ?? 0);
  const isNew = name !== '' && name !== asString(old.nominatedNodeName);
  return [
    ...(isNew ? following(dns1123Subdomain, field, name) : []),
    ...when(isNew && oldNode !== '', () =>
      forbiddenField(field, 'may not be set on pods that are already bound to a node'),
    ),
    ...when(generation < 0, () =>
      invalidValue('status.observedGeneration', generation, 'must be a non-negative integer'),
    ),
  ];
}

/** One address of each family at most; existing addresses may be non-canonical. */
export const addressErrors = (status: core.PodStatus, old: core.PodStatus): Complaints => [
  ...listErrors('podIPs', status, old),
  ...hostErrors(status),
  ...listErrors('hostIPs', status, old),
];

function hostErrors(status: core.PodStatus): Complaints {
  const [first] = addressesOf(status.hostIPs);
  return when(first !== undefined && first !== asString(status.hostIP), () =>
    invalidValue('status.hostIPs[0].ip', first ?? '', 'must be equal to `hostIP`'),
  );
}

function listErrors(field: 'podIPs' | 'hostIPs', status: core.PodStatus, old: core.PodStatus): Complaints {
  const addresses = addressesOf(status[field]);
  const known = new Set(addressesOf(old[field]));
  const sixes = addresses.filter((address) => address.includes(':')).length;
  const isPair = addresses.length === 2 && sixes === 1;
  return [
    ...eachOf(addresses, (address, at) => (known.has(address) ? none : strictIp(`status.${field}[${at}]`, address))),
    ...when(addresses.length > 1 && !isPair, () =>
      invalidValue(
        `status.${field}`,
        addresses.map((IP) => ({ IP })),
        'may specify no more than one IP for each IP family',
      ),
    ),
  ];
}

const addressesOf = (list: readonly (core.HostIP | core.PodIP)[] | undefined): readonly string[] =>
  asList(list).map((item) => asString(asObject(item).ip));

/** Follows validatePodResourceClaimStatuses. */
export function claimStatusErrors(
  statuses: readonly core.PodResourceClaimStatus[] | undefined,
  claims: readonly core.PodResourceClaim[] | undefined,
): Complaints {
  const names = new Set(asList(claims).map((claim) => asString(asObject(claim).name)));
  const seen = new Set<string>();
  return each(statuses, 'status.resourceClaimStatuses', ({ name: given, resourceClaimName }, at) => {
    const name = asString(given);
    const isRepeated = isDuplicate(seen, name);
    return [
      ...when(!names.has(name), () =>
        invalidValue(`${at}.name`, name, 'must match the name of an entry in `spec.resourceClaims`'),
      ),
      ...when(isRepeated, () => duplicate(`${at}.name`, name)),
      ...(resourceClaimName === undefined
        ? []
        : following(dns1123Subdomain, `${at}.resourceClaimName`, asString(resourceClaimName))),
    ];
  });
}
