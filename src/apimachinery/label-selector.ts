import { fieldErrorText, goQuote, invalidValue } from './field-error.ts';
import { asList, asObject, asString, isJsonObject } from './json.ts';
import type { JsonValue } from './json.ts';
import { requirementError, requirementMatches, requirementSentence, requirementText } from './label-requirement.ts';
import type { Labels, Requirement, SelectorOperator } from './label-requirement.ts';
import { tokenize } from './label-selector-tokens.ts';
import type { Tokens, TokenType } from './label-selector-tokens.ts';
import { qualifiedNameErrors } from './names.ts';

/** Requirements that must all hold. */
export interface LabelSelector {
  /** In order of their keys. */
  readonly requirements: readonly Requirement[];
  readonly matches: (labels: Labels) => boolean;
  /** Lets everything through. */
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
  const tokens = tokenize(text);
  const requirements: Requirement[] = [];
  for (;;) {
    const first = tokens.peek();
    if (first.type === 'end') return selectorOf(requirements);
    if (first.type !== 'identifier' && first.type !== '!') {
      return unparsable(`found '${first.text}', expected: !, identifier, or 'end of string'`);
    }
    const read = parseRequirement(tokens);
    if ('error' in read) return unparsable(`unable to parse requirement: ${read.error}`);
    requirements.push(read.requirement);
    const problem = afterRequirement(tokens);
    if (problem !== '') return unparsable(problem);
  }
}

type RequirementReading = { readonly requirement: Requirement } | { readonly error: string };

/**
 * A `metav1.LabelSelector` as a selector: null matches nothing, `{}` everything.
 * Follows apimachinery pkg/apis/meta/v1/helpers.go.
 */
export function readLabelSelector(value: JsonValue | undefined): SelectorReading {
  if (!isJsonObject(value)) return { outcome: 'selector', selector: nothing };
  const requirements: Requirement[] = [];
  for (const [key, label] of Object.entries(asObject(value['matchLabels']))) {
    requirements.push({ key, operator: '=', values: [asString(label)] });
  }
  for (const expression of asList(value['matchExpressions'])) {
    const { key, operator, values } = asObject(expression);
    const known = expressionOperators[asString(operator)];
    if (known === undefined || !Object.hasOwn(expressionOperators, asString(operator))) {
      return { outcome: 'unparsable', error: `${goQuote(asString(operator))} is not a valid label selector operator` };
    }
    requirements.push({ key: asString(key), operator: known, values: asList(values).map(asString) });
  }
  return selectorOf(requirements);
}

/** The selector in words: `team In [red, blue], env=prod, tier Exists`. */
export const selectorSentence = (selector: LabelSelector): string =>
  selector === nothing ? 'nothing' : selector.requirements.map(requirementSentence).join(', ');

/** The selector as a query string would spell it. Follows apimachinery pkg/labels/selector.go String. */
export const selectorText = ({ requirements }: LabelSelector): string => requirements.map(requirementText).join(',');

/** Checks the requirements and puts them in order. */
function selectorOf(requirements: readonly Requirement[]): SelectorReading {
  for (const requirement of requirements) {
    const error = requirementError(requirement);
    if (error !== '') return unparsable(error);
  }
  const sorted = requirements.toSorted(byKey);
  const matches = (labels: Labels): boolean => sorted.every((requirement) => requirementMatches(requirement, labels));
  return { outcome: 'selector', selector: { requirements: sorted, matches, isEmpty: sorted.length === 0 } };
}

const expressionOperators: Readonly<Record<string, SelectorOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

const byKey = (a: Requirement, b: Requirement): number => Number(a.key > b.key) - Number(a.key < b.key);

const unparsable = (error: string): SelectorReading => ({ outcome: 'unparsable', error });

function afterRequirement(tokens: Tokens): string {
  const separator = tokens.peek();
  if (separator.type === 'end') return '';
  tokens.take();
  if (separator.type !== ',') return `found '${separator.text}', expected: ',' or 'end of string'`;
  const next = tokens.peek();
  if (next.type === 'identifier' || next.type === '!') return '';
  return `found '${next.text}', expected: identifier after ','`;
}

function parseRequirement(tokens: Tokens): RequirementReading {
  let token = tokens.take();
  const isNegated = token.type === '!';
  if (isNegated) token = tokens.take();
  if (token.type !== 'identifier') return { error: `found '${token.text}', expected: identifier` };
  const key = token.text;
  const keyErrors = qualifiedNameErrors(key);
  // Go prints the path that nobody gave as <nil>.
  if (keyErrors.length > 0) return { error: fieldErrorText(invalidValue('<nil>', key, keyErrors.join('; '))) };
  const next = tokens.peek().type;
  if (isNegated) return checked({ key, operator: '!', values: [] });
  if (next === 'end' || next === ',') return checked({ key, operator: 'exists', values: [] });
  return parseComparison(key, tokens);
}

function parseComparison(key: string, tokens: Tokens): RequirementReading {
  const token = tokens.operator();
  const operator = binaryOperators[token.type];
  if (operator === undefined) {
    return { error: `found '${token.text}', expected: in, notin, =, ==, !=, gt, lt` };
  }
  const values = operator === 'in' || operator === 'notin' ? parseValues(tokens) : parseExactValue(tokens);
  if (typeof values === 'string') return { error: values };
  return checked({ key, operator, values: [...new Set(values)].toSorted() });
}

function checked(requirement: Requirement): RequirementReading {
  const reading = selectorOf([requirement]);
  return reading.outcome === 'unparsable' ? { error: reading.error } : { requirement };
}

const binaryOperators: Readonly<Partial<Record<TokenType, SelectorOperator>>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

function parseExactValue(tokens: Tokens): readonly string[] | string {
  const next = tokens.peek();
  if (next.type === 'end' || next.type === ',') return [''];
  tokens.take();
  return next.type === 'identifier' ? [next.text] : `found '${next.text}', expected: identifier`;
}

function parseValues(tokens: Tokens): readonly string[] | string {
  const open = tokens.take();
  if (open.type !== '(') return `found '${open.text}' expected: '('`;
  const first = tokens.peek();
  if (first.type === ')') {
    tokens.take();
    return [''];
  }
  if (first.type !== 'identifier' && first.type !== ',') {
    return `found '${first.text}', expected: ',', ')' or identifier`;
  }
  const values = parseIdentifiers(tokens);
  if (typeof values !== 'string') tokens.take();
  return values;
}

/** Everything up to the closing parenthesis; `(,a,,)` has empty values in it. */
function parseIdentifiers(tokens: Tokens): readonly string[] | string {
  const values: string[] = [];
  for (;;) {
    const token = tokens.take();
    const next = tokens.peek();
    if (token.type === 'identifier') {
      values.push(token.text);
      if (next.type === ')') return values;
      if (next.type !== ',') return `found '${next.text}', expected: ',' or ')'`;
    } else if (token.type === ',') {
      if (values.length === 0 || next.type === ')' || next.type === ',') values.push('');
      if (next.type === ')') return values;
      if (next.type === ',') tokens.take();
    } else {
      return `found '${token.text}', expected: ',', or identifier`;
    }
  }
}
