import { validateRequiredEnum, errorIf, type FieldErrors } from '../field-rules.ts';
import { forbiddenField } from '../../../machinery/meta/field-error.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { PriorityClass } from '../../types/generated/scheduling-v1.ts';
import { validateImmutableField } from '../meta/object-meta.ts';

const systemClasses: Readonly<Record<string, { readonly value: number; readonly description: string }>> = {
  'system-node-critical': {
    value: 2000001000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  'system-cluster-critical': {
    value: 2000000000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
};
const highestUserValue = 1000000000;

/** Follows kubernetes pkg/apis/scheduling/validation ValidatePriorityClass. */
export function validatePriorityClass(priorityClass: PriorityClass): FieldErrors {
  const { name = '' } = metadataOf(priorityClass);
  const policies = ['PreemptLowerPriority', 'Never'];
  return [
    ...(name.startsWith('system-')
      ? validateSystemPriorityClass(name, priorityClass)
      : errorIf(Number(priorityClass.value ?? 0) > highestUserValue, () =>
          forbiddenField('value', `maximum allowed value of a user defined priority is ${highestUserValue}`),
        )),
    ...(priorityClass.preemptionPolicy === undefined
      ? []
      : validateRequiredEnum('preemptionPolicy', priorityClass.preemptionPolicy, policies)),
  ];
}

function validateSystemPriorityClass(name: string, { value, globalDefault }: PriorityClass): FieldErrors {
  const known = Object.hasOwn(systemClasses, name) ? systemClasses[name] : undefined;
  const problem =
    known === undefined
      ? `${name} is not a known system priority class`
      : value !== known.value
        ? `value of ${name} PriorityClass must be ${known.value}`
        : globalDefault === true
          ? `globalDefault of ${name} PriorityClass must be false`
          : '';
  const text = `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`;
  return errorIf(problem !== '', () => forbiddenField('metadata.name', text));
}

/** Follows kubernetes pkg/apis/scheduling/validation ValidatePriorityClassUpdate. */
export const validatePriorityClassUpdate = (priorityClass: PriorityClass, old: PriorityClass): FieldErrors => [
  ...errorIf(priorityClass.value !== old.value, () => forbiddenField('value', 'may not be changed in an update.')),
  ...validateImmutableField('preemptionPolicy', priorityClass.preemptionPolicy, old.preemptionPolicy, ''),
];
