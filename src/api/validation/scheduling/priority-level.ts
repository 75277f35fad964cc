import { forbiddenField, invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type * as flowcontrol from '../../types/generated/flowcontrol-v1.ts';
import { when, type Complaints } from '../field-rules.ts';
import { conditionErrors } from '../flowcontrol/flow-control.ts';

/** The file follows kubernetes pkg/apis/flowcontrol/validation/validation.go. */
export function validatePriorityLevel(level: flowcontrol.PriorityLevelConfiguration): Complaints {
  const { type, limited, exempt } = asObject(level.spec);
  const isExempt = metadataOf(level).name === 'exempt';
  return [
    ...when(isExempt !== (type === 'Exempt'), () =>
      invalidValue('spec.type', asString(type), "must be 'Exempt' if and only if `name` is 'exempt'"),
    ),
    ...typeErrors(asString(type), limited, exempt),
    ...conditionErrors(level),
  ];
}

function typeErrors(
  type: string,
  limited: flowcontrol.LimitedPriorityLevelConfiguration | undefined,
  exempt: flowcontrol.ExemptPriorityLevelConfiguration | undefined,
): Complaints {
  switch (type) {
    case 'Exempt':
      return [
        ...when(limited !== undefined, () => forbiddenField('spec.limited', 'must be nil if the type is not Limited')),
        ...shareErrors(asObject(exempt), 'spec.exempt'),
      ];
    case 'Limited':
      return [
        ...when(exempt !== undefined, () => forbiddenField('spec.exempt', 'must be nil if the type is Limited')),
        ...(limited === undefined
          ? [required('spec.limited', 'must not be empty when type is Limited')]
          : limitedErrors(asObject(limited))),
      ];
    default:
      return [notSupported('spec.type', type, ['Exempt', 'Limited'])];
  }
}

function limitedErrors(limited: flowcontrol.LimitedPriorityLevelConfiguration): Complaints {
  const { limitResponse, borrowingLimitPercent, lendablePercent, ...rest } = limited;
  return [
    ...shareErrors(rest, 'spec.limited'),
    ...responseErrors(asObject(limitResponse), 'spec.limited.limitResponse'),
    ...shareErrors(lendablePercent === undefined ? {} : { lendablePercent }, 'spec.limited'),
    ...when(Number(borrowingLimitPercent ?? 0) < 0, () =>
      invalidValue(
        'spec.limited.borrowingLimitPercent',
        borrowingLimitPercent ?? 0,
        'if specified, must be a non-negative integer',
      ),
    ),
  ];
}

function shareErrors(
  { nominalConcurrencyShares, lendablePercent }: flowcontrol.LimitedPriorityLevelConfiguration,
  path: string,
): Complaints {
  const [shares, percent] = [Number(nominalConcurrencyShares ?? 0), Number(lendablePercent ?? 0)];
  return [
    ...when(shares < 0, () =>
      invalidValue(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer'),
    ),
    ...when(percent < 0 || percent > 100, () =>
      invalidValue(`${path}.lendablePercent`, percent, 'must be between 0 and 100, inclusive'),
    ),
  ];
}

function responseErrors({ type, queuing }: flowcontrol.LimitResponse, path: string): Complaints {
  switch (asString(type)) {
    case 'Reject':
      return when(queuing !== undefined, () =>
        forbiddenField(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited'),
      );
    case 'Queue':
      return queuing === undefined
        ? [required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')]
        : queuingErrors(asObject(queuing), `${path}.queuing`);
    default:
      return [notSupported(`${path}.type`, asString(type), ['Queue', 'Reject'])];
  }
}

const mostQueues = 10_000_000;
const hashBits = 60;

function queuingErrors(queuing: JsonObject, path: string): Complaints {
  const count = (field: string): number => Number(queuing[field] ?? 0);
  const [limit, queues, hand] = [count('queueLengthLimit'), count('queues'), count('handSize')];
  const dear = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${hashBits}`;
  const handProblem = hand > queues ? `should not be greater than queues (${queues})` : dear;
  return [
    ...when(limit <= 0, () => invalidValue(`${path}.queueLengthLimit`, limit, 'must be positive')),
    ...when(queues <= 0, () => invalidValue(`${path}.queues`, queues, 'must be positive')),
    ...when(queues > mostQueues, () =>
      invalidValue(`${path}.queues`, queues, `must not be greater than ${mostQueues}`),
    ),
    ...(hand <= 0
      ? [invalidValue(`${path}.handSize`, hand, 'must be positive')]
      : when(hand > queues || entropyBits(queues, hand) > hashBits, () =>
          invalidValue(`${path}.handSize`, hand, handProblem),
        )),
  ];
}

/** Follows apiserver pkg/util/shufflesharding/dealer.go RequiredEntropyBits. */
const entropyBits = (deck: number, hand: number): number => Math.ceil(Math.log2(deck) * hand);
