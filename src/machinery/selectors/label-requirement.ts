import { aggregateText } from '../errors.ts';
import { atoi } from '../go/strconv.ts';
import { append } from '../json/json.ts';
import { type FieldError, fieldErrorText, invalidValue } from '../meta/field-error.ts';
import { labelValueErrors, qualifiedNameErrors } from '../meta/names.ts';

/** One comparison of a label selector. */
export interface Requirement {
  readonly key: string;
  readonly operator: SelectorOperator;
  readonly values: readonly string[];
}

export type SelectorOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** The labels of an object; an absent one may be undefined. */
export type Labels = Readonly<Record<string, string | undefined>>;

/** Do the labels meet the requirement? Follows apimachinery pkg/labels/selector.go Matches. */
export function requirementMatches({ key, operator, values }: Requirement, labels: Labels): boolean {
  return matchers[operator](Object.hasOwn(labels, key) ? labels[key] : undefined, values);
}

type Matcher = (label: string | undefined, values: readonly string[]) => boolean;

const isIn: Matcher = (label, values) => label !== undefined && values.includes(label);
const isNotIn: Matcher = (label, values) => !isIn(label, values);

const matchers: Readonly<Record<SelectorOperator, Matcher>> = {
  in: isIn,
  '=': isIn,
  '==': isIn,
  notin: isNotIn,
  '!=': isNotIn,
  exists: (label) => label !== undefined,
  '!': (label) => label === undefined,
  gt: (label, [value]) => isOrdered('gt', label, value),
  lt: (label, [value]) => isOrdered('lt', label, value),
};

/** A label that is not a 64-bit integer is neither greater nor less. */
function isOrdered(operator: 'gt' | 'lt', label: string | undefined, value: string | undefined): boolean {
  const [a, b] = [atoi(label ?? ''), atoi(value ?? '')];
  if (a.outcome === 'unparsable' || b.outcome === 'unparsable') return false;
  return operator === 'gt' ? a.value > b.value : a.value < b.value;
}

/** `team In [red, blue]`, `env=prod`, `tier Exists`. */
export function requirementSentence({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'in':
      return `${key} In [${values.join(', ')}]`;
    case 'notin':
      return `${key} NotIn [${values.join(', ')}]`;
    case 'exists':
      return `${key} Exists`;
    case '!':
      return `${key} DoesNotExist`;
    case 'gt':
      return `${key} Gt ${values.join(', ')}`;
    case 'lt':
      return `${key} Lt ${values.join(', ')}`;
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${values.join(', ')}`;
  }
}

/** As a query string spells it. */
export function requirementText({ key, operator, values }: Requirement): string {
  const sorted = values.toSorted().join(',');
  switch (operator) {
    case 'in':
    case 'notin':
      return `${key} ${operator} (${sorted})`;
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'gt':
      return `${key}>${sorted}`;
    case 'lt':
      return `${key}<${sorted}`;
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${sorted}`;
  }
}

/** The errors of a requirement in one text; '' for a valid one. Follows apimachinery pkg/labels/selector.go NewRequirement. */
export function requirementError(requirement: Requirement): string {
  const { key, values } = requirement;
  const errors: FieldError[] = [];
  const keyErrors = qualifiedNameErrors(key);
  if (keyErrors.length > 0) errors.push(invalidValue('key', key, keyErrors.join('; ')));
  append(errors, valueErrors(requirement));
  const wrong = values.flatMap((value, index) => {
    const texts = labelValueErrors(value);
    return texts.length === 0 ? [] : [invalidValue(`values[${index}][${key}]`, value, texts.join('; '))];
  });
  append(errors, wrong);
  return aggregateText(errors.map(fieldErrorText));
}

function valueErrors({ operator, values }: Requirement): readonly FieldError[] {
  if (operator === 'gt' || operator === 'lt') return values.flatMap(integerError);
  const { right, detail } = valueCounts[operator];
  return right(values.length) ? [] : [invalidValue('values', values, detail)];
}

interface ValueCount {
  readonly right: (count: number) => boolean;
  readonly detail: string;
}

const atLeastOne: ValueCount = {
  right: (count) => count > 0,
  detail: "for 'in', 'notin' operators, values set can't be empty",
};
const exactlyOne: ValueCount = {
  right: (count) => count === 1,
  detail: 'exact-match compatibility requires one single value',
};
const noValues: ValueCount = {
  right: (count) => count === 0,
  detail: 'values set must be empty for exists and does not exist',
};

const valueCounts: Readonly<Record<Exclude<SelectorOperator, 'gt' | 'lt'>, ValueCount>> = {
  in: atLeastOne,
  notin: atLeastOne,
  '=': exactlyOne,
  '==': exactlyOne,
  '!=': exactlyOne,
  exists: noValues,
  '!': noValues,
};

function integerError(value: string, index: number): readonly FieldError[] {
  if (atoi(value).outcome === 'parsed') return [];
  return [invalidValue(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")];
}
