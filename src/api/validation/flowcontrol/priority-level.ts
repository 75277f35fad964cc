import { forbiddenField, invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type * as flowcontrol from '../../types/generated/flowcontrol-v1.ts';
import { errorIf, validateInRange, type FieldErrors } from '../field-rules.ts';
import { validateFlowControlConditions } from './flow-control.ts';

/** The file follows kubernetes pkg/apis/flowcontrol/validation/validation.go. */
export function validatePriorityLevelConfiguration(level: flowcontrol.PriorityLevelConfiguration): FieldErrors {
  const { type, limited, exempt } = asObject(level.spec);
  const isExempt = metadataOf(level).name === 'exempt';
  return [
    ...errorIf(isExempt !== (type === 'Exempt'), () =>
      invalidValue('spec.type', asString(type), "must be 'Exempt' if and only if `name` is 'exempt'"),
    ),
    ...validatePriorityLevelType(asString(type), limited, exempt),
    ...validateFlowControlConditions(level),
  ];
}

function validatePriorityLevelType(
  type: string,
  limited: flowcontrol.LimitedPriorityLevelConfiguration | undefined,
  exempt: flowcontrol.ExemptPriorityLevelConfiguration | undefined,
): FieldErrors {
  switch (type) {
    case 'Exempt':
      return [
        ...errorIf(limited !== undefined, () =>
          forbiddenField('spec.limited', 'must be nil if the type is not Limited'),
        ),
        ...validateShares(asObject(exempt), 'spec.exempt'),
      ];
    case 'Limited':
      return [
        ...errorIf(exempt !== undefined, () => forbiddenField('spec.exempt', 'must be nil if the type is Limited')),
        ...(limited === undefined
          ? [required('spec.limited', 'must not be empty when type is Limited')]
          : validateLimited(asObject(limited))),
      ];
    default:
      return [notSupported('spec.type', type, ['Exempt', 'Limited'])];
  }
}

function validateLimited(limited: flowcontrol.LimitedPriorityLevelConfiguration): FieldErrors {
  const { limitResponse, borrowingLimitPercent, lendablePercent, ...rest } = limited;
  return [
    ...validateShares(rest, 'spec.limited'),
    ...validateLimitResponse(asObject(limitResponse), 'spec.limited.limitResponse'),
    ...validateShares(lendablePercent === undefined ? {} : { lendablePercent }, 'spec.limited'),
    ...errorIf(Number(borrowingLimitPercent ?? 0) < 0, () =>
      invalidValue(
        'spec.limited.borrowingLimitPercent',
        borrowingLimitPercent ?? 0,
        'if specified, must be a non-negative integer',
      ),
    ),
  ];
}

function validateShares(
  { nominalConcurrencyShares, lendablePercent }: flowcontrol.LimitedPriorityLevelConfiguration,
  path: string,
): FieldErrors {
  const shares = Number(nominalConcurrencyShares ?? 0);
  return [
    ...errorIf(shares < 0, () =>
      invalidValue(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer'),
    ),
    ...validateInRange(`${path}.lendablePercent`, lendablePercent, 0, 100),
  ];
}

function validateLimitResponse({ type, queuing }: flowcontrol.LimitResponse, path: string): FieldErrors {
  switch (asString(type)) {
    case 'Reject':
      return errorIf(queuing !== undefined, () =>
        forbiddenField(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited'),
      );
    case 'Queue':
      return queuing === undefined
        ? [required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')]
        : validateQueuing(asObject(queuing), `${path}.queuing`);
    default:
      return [notSupported(`${path}.type`, asString(type), ['Queue', 'Reject'])];
  }
}

const maxQueues = 10_000_000;
const hashBits = 60;

function validateQueuing(queuing: JsonObject, path: string): FieldErrors {
  const count = (field: string): number => Number(queuing[field] ?? 0);
  const [limit, queues, hand] = [count('queueLengthLimit'), count('queues'), count('handSize')];
  const tooManyBits = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${hashBits}`;
  const handProblem = hand > queues ? `should not be greater than queues (${queues})` : tooManyBits;
  return [
    ...errorIf(limit <= 0, () => invalidValue(`${path}.queueLengthLimit`, limit, 'must be positive')),
    ...errorIf(queues <= 0, () => invalidValue(`${path}.queues`, queues, 'must be positive')),
    ...errorIf(queues > maxQueues, () =>
      invalidValue(`${path}.queues`, queues, `must not be greater than ${maxQueues}`),
    ),
    ...(hand <= 0
      ? [invalidValue(`${path}.handSize`, hand, 'must be positive')]
      : errorIf(hand > queues || entropyBits(queues, hand) > hashBits, () =>
          invalidValue(`${path}.handSize`, hand, handProblem),
        )),
  ];
}

/** Follows apiserver pkg/util/shufflesharding/dealer.go RequiredEntropyBits. */
const entropyBits = (deck: number, hand: number): number => Math.ceil(Math.log2(deck) * hand);
