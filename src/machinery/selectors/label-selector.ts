import { groupBy } from '../lists.ts';
import { type JsonObject, type JsonValue, asList, asObject, asString, isJsonObject } from '../json/json.ts';
import { fieldErrorText, goQuote, invalidValue } from '../meta/field-error.ts';
import { qualifiedNameErrors } from '../meta/names.ts';
import {
  type Labels,
  type Requirement,
  type SelectorOperator,
  requirementError,
  requirementMatches,
  requirementSentence,
  requirementText,
} from './label-requirement.ts';
import { parseSelectorSyntax } from './label-selector-syntax.ts';

/** A label selector as Go's protobuf code prints it. Follows apimachinery pkg/apis/meta/v1/generated.pb.go. */
export function goSelector(selector: JsonObject): string {
  const labels = Object.entries(asObject(selector['matchLabels'])).map(([key, value]) => `${key}: ${asString(value)},`);
  const expressions = asList(selector['matchExpressions']).map((one) => goRequirement(asObject(one)));
  return `&LabelSelector{MatchLabels:map[string]string{${labels.toSorted().join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

function goRequirement({ key, operator, values }: JsonObject): string {
  const texts = asList(values).map(asString).join(' ');
  return `LabelSelectorRequirement{Key:${asString(key)},Operator:${asString(operator)},Values:[${texts}],},`;
}

/** Do the labels meet all of the requirements? Of many requirements only those of keys that are present are checked. */
function createMatcher(requirements: readonly Requirement[]): (labels: Labels) => boolean {
  if (requirements.length === 0) return () => true;
  const byKey = groupBy(requirements, ({ key }) => key);
  const needsLabel = ({ operator }: Requirement): boolean => !['!=', 'notin', '!'].includes(operator);
  const requiredKeys = new Set(requirements.filter(needsLabel).map(({ key }) => key));
  return (labels) => {
    for (const key of requiredKeys) if (!Object.hasOwn(labels, key) || labels[key] === undefined) return false;
    return Object.keys(labels).every((name) => matchesAll(byKey.get(name), labels));
  };
}

const matchesAll = (requirements: readonly Requirement[] | undefined, labels: Labels): boolean =>
  requirements === undefined || requirements.every((requirement) => requirementMatches(requirement, labels));

/** Requirements that labels must all meet. */
export interface LabelSelector {
  /** In order of their keys. */
  readonly requirements: readonly Requirement[];
  readonly matches: (labels: Labels) => boolean;
  /** Matches everything. */
  readonly isEmpty: boolean;
}

export type SelectorReading =
  | { readonly outcome: 'selector'; readonly selector: LabelSelector }
  | { readonly outcome: 'unparsable'; readonly error: string };

const nothing: LabelSelector = Object.freeze({ requirements: [], matches: () => false, isEmpty: false });

/**
 * Reads the `labelSelector` of a query string: `a=b,c!=d,x in (1,2),!y,z>3`. Errors are texts such as
 * `found 'c', expected: ',' or 'end of string'`. Follows apimachinery pkg/labels/selector.go Parse.
 */
export function parseLabelSelector(text: string): SelectorReading {
  const { requirements: raw, lastKey, problem } = parseSelectorSyntax(text);
  const requirements = raw.map(withValuesInOrder);
  const wrong =
    firstError(requirements, (one) => keyError(one.key) || requirementError(one)) ||
    (lastKey === undefined ? '' : keyError(lastKey));
  if (wrong !== '') return unparsable(`unable to parse requirement: ${wrong}`);
  return problem === '' ? createSelector(requirements) : unparsable(problem);
}

const withValuesInOrder = ({ values, ...requirement }: Requirement): Requirement => ({
  ...requirement,
  values: values.length < 2 ? values : [...new Set(values)].sort(),
});

/** Go prints an absent field path as <nil>. */
function keyError(key: string): string {
  const errors = qualifiedNameErrors(key);
  return errors.length === 0 ? '' : fieldErrorText(invalidValue('<nil>', key, errors.join('; ')));
}

/** '' when there is none. */
function firstError(requirements: readonly Requirement[], errorOf: (requirement: Requirement) => string): string {
  for (const requirement of requirements) {
    const error = errorOf(requirement);
    if (error !== '') return error;
  }
  return '';
}

/**
 * A `metav1.LabelSelector` as a selector: null matches nothing, `{}` everything.
 * Follows apimachinery pkg/apis/meta/v1/helpers.go.
 */
export function readLabelSelector(value: JsonValue | undefined): SelectorReading {
  if (!isJsonObject(value)) return { outcome: 'selector', selector: nothing };
  const labels = asObject(value['matchLabels']);
  const equal = Object.keys(labels).map((key): Requirement => {
    return { key, operator: '=', values: [asString(labels[key])] };
  });
  const expressions = asList(value['matchExpressions']).map(asObject);
  const unknown = expressions.find(({ operator }) => !Object.hasOwn(expressionOperators, asString(operator)));
  if (unknown) return unparsable(`${goQuote(asString(unknown['operator']))} is not a valid label selector operator`);
  const requirements = [...equal, ...expressions.map(toRequirement)];
  const error = firstError(requirements, requirementError);
  return error === '' ? createSelector(requirements) : unparsable(error);
}

/** The selector in words: `team In [red, blue], env=prod, tier Exists`. */
export const selectorSentence = (selector: LabelSelector): string =>
  selector === nothing ? 'nothing' : selector.requirements.map(requirementSentence).join(', ');

/** The selector as a query string would spell it. Follows apimachinery pkg/labels/selector.go String. */
export const selectorText = ({ requirements }: LabelSelector): string => requirements.map(requirementText).join(',');

function createSelector(requirements: readonly Requirement[]): SelectorReading {
  const sorted = requirements.toSorted(byKey);
  const selector = { requirements: sorted, matches: createMatcher(sorted), isEmpty: sorted.length === 0 };
  return { outcome: 'selector', selector };
}

const toRequirement = ({ key, operator, values }: JsonObject): Requirement => ({
  key: asString(key),
  operator: expressionOperators[asString(operator)] ?? '=',
  values: asList(values).map(asString),
});

const expressionOperators: Readonly<Record<string, SelectorOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

const byKey = (a: Requirement, b: Requirement): number => Number(a.key > b.key) - Number(a.key < b.key);

const unparsable = (error: string): SelectorReading => ({ outcome: 'unparsable', error });
