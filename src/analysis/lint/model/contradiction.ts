import type { Requirement } from '../../../machinery/selectors/label-requirement.ts';

export function contradictionIn(requirements: readonly Requirement[]): string | undefined {
  for (const [index, one] of requirements.entries()) {
    for (const other of requirements.slice(index + 1)) {
      if (one.key === other.key && excludes(one, other)) return `${one.key} ${wordsOf(one)} and ${wordsOf(other)}`;
    }
  }
  return undefined;
}

/** `contradicts`: whether one of these cannot be added. */
interface Requirements {
  readonly contradicts: (more: readonly Requirement[]) => boolean;
  readonly add: (more: readonly Requirement[]) => void;
}

export function createRequirements(): Requirements {
  const byKey = new Map<string, Requirement[]>();
  const sameKey = ({ key }: Requirement): Requirement[] => {
    const known = byKey.get(key) ?? [];
    byKey.set(key, known);
    return known;
  };
  return {
    contradicts: (more) =>
      contradictionIn(more) !== undefined || more.some((one) => sameKey(one).some((other) => excludes(one, other))),
    add: (more) => {
      for (const one of more) sameKey(one).push(one);
    },
  };
}

const isPositive = ({ operator }: Requirement): boolean => operator === 'in' || operator === '=' || operator === '==';
const isPresent = (one: Requirement): boolean => isPositive(one) || operatorIs(one, 'exists');
const operatorIs = ({ operator }: Requirement, wanted: Requirement['operator']): boolean => operator === wanted;

function excludes(one: Requirement, other: Requirement): boolean {
  const [first, second] = isPositive(one) ? [one, other] : [other, one];
  if (isPositive(first) && isPositive(second)) return !first.values.some((value) => second.values.includes(value));
  if (isPositive(first) && operatorIs(second, 'notin'))
    return first.values.every((value) => second.values.includes(value));
  return (isPresent(one) && operatorIs(other, '!')) || (isPresent(other) && operatorIs(one, '!'));
}

const words: Readonly<Partial<Record<Requirement['operator'], string>>> = {
  in: 'In',
  '=': 'is',
  '==': 'is',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

const wordsOf = ({ operator, values }: Requirement): string =>
  `${words[operator] ?? operator}${values.length === 0 ? '' : ` ${operator === 'in' || operator === 'notin' ? `[${values.join(', ')}]` : values.join(', ')}`}`;
