import { trim } from '../../../machinery/go/strings.ts';
export type JsonPathStep =
  | { readonly step: 'field'; readonly name: string }
  | Slice
  | { readonly step: 'filter'; readonly left: JsonPath; readonly operator: string; readonly right: JsonPath }
  | { readonly step: 'union'; readonly branches: readonly JsonPath[] }
  | { readonly step: 'value'; readonly value: string | number | boolean }
  | { readonly step: 'wildcard' | 'recursive' | 'word' };

/** `isOne`: `[-1]`, whose end 0 means the end of the list. */
export interface Slice {
  readonly step: 'slice';
  readonly from: number;
  readonly to: number | undefined;
  readonly by: number;
  readonly isOne: boolean;
}

export type JsonPath = readonly JsonPathStep[];

/** A limit of kadmit. */
const maxLength = 2000;

/**
 * `.status.conditions[?(@.type=="Ready")].status`; undefined for an invalid path. Follows client-go
 * util/jsonpath/parser.go.
 */
export function parseJsonPath(text: string): JsonPath | undefined {
  if (text.length > maxLength) return undefined;
  const steps: JsonPathStep[] = [];
  let rest = text;
  // A brace ends the path; text follows.
  while (rest !== '' && !rest.startsWith('}')) {
    const read = parseStep(rest, steps.at(-1));
    if (read === undefined) return undefined;
    steps.push(...read.steps);
    rest = read.rest;
  }
  return steps;
}

interface ParsedStep {
  readonly steps: readonly JsonPathStep[];
  readonly rest: string;
}

const singleStep = (step: JsonPathStep, rest: string): ParsedStep => ({ steps: [step], rest });

function parseStep(text: string, before: JsonPathStep | undefined): ParsedStep | undefined {
  if (text.startsWith('[?(')) return parseFilter(text.slice(3));
  if (text.startsWith('..')) return before?.step === 'recursive' ? undefined : parseRecursive(text.slice(2));
  if (/^[ @$]/.test(text)) return { steps: [], rest: text.slice(1) };
  if (text.startsWith('[')) return parseBracket(text.slice(1));
  if (/^["']/.test(text)) return parseQuoted(text);
  if (text.startsWith('.')) return parseField(text.slice(1));
  if (/^[-+\d]/.test(text)) return parseNumber(text);
  return startsWord.test(text) ? parseWord(text) : undefined;
}

const startsWord = /^[\p{L}\p{N}_]/u;

function parseRecursive(rest: string): ParsedStep {
  const field = startsWord.test(rest) ? parseField(rest) : { steps: [], rest };
  return { steps: [{ step: 'recursive' }, ...field.steps], rest: field.rest };
}

/** Up to an unescaped terminator. */
function parseField(text: string): ParsedStep {
  const [raw = ''] = /^(?:\\.|[^\\ \t\r\n.,[\]$@{}])*/s.exec(text) ?? [];
  const rest = text.slice(raw.length);
  return singleStep(raw === '*' ? { step: 'wildcard' } : { step: 'field', name: raw.replaceAll('\\', '') }, rest);
}

function parseWord(text: string): ParsedStep {
  const [word = ''] = /^[^ \t\r\n.,[\]$@{}]+/.exec(text) ?? [];
  const isBoolean = word === 'true' || word === 'false';
  return singleStep(isBoolean ? { step: 'value', value: word === 'true' } : { step: 'word' }, text.slice(word.length));
}

function parseNumber(text: string): ParsedStep | undefined {
  const [digits = ''] = /^[-+]?[\d.]*/.exec(text) ?? [];
  if (!/^[-+]?(\d+(\.\d*)?|\.\d+)$/.test(digits)) return undefined;
  return singleStep({ step: 'value', value: Number(digits) }, text.slice(digits.length));
}

function parseQuoted(text: string): ParsedStep | undefined {
  const [whole, double, single] = /^(?:"((?:\\"|[^"\n])*)"|'((?:\\'|[^'\n])*)')/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const value = (double ?? single ?? '').replaceAll(/\\(.)/g, '$1');
  return singleStep({ step: 'value', value }, text.slice(whole.length));
}

/** Up to the first bracket, even one in quotes. */
function parseBracket(text: string): ParsedStep | undefined {
  const [whole, inside = ''] = /^([^\]\n]*)\]/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const rest = text.slice(whole.length);
  const parts = inside.split(',');
  if (parts.length > 1) {
    const branches = allParsed(parts.map((part) => parseJsonPath(`[${trim(part, ' ')}]`)));
    return branches && singleStep({ step: 'union', branches }, rest);
  }
  const [, key] = /^'([^']*)'$/.exec(inside) ?? [];
  // A quoted key is parsed as a path: dots separate fields.
  const steps = key === undefined ? parseSlice(inside === '*' ? ':' : inside) : parseJsonPath(`.${key}`);
  return steps && { steps, rest };
}

const allParsed = (paths: readonly (JsonPath | undefined)[]): readonly JsonPath[] | undefined =>
  paths.every((path) => path !== undefined) ? paths : undefined;

function parseSlice(text: string): JsonPath | undefined {
  const [whole, from = '', to, by = ''] = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(text) ?? [];
  if (whole === undefined || [from, to, by].includes('-')) return undefined;
  const isOne = to === undefined;
  const end = to === '' ? undefined : Number(to);
  const first = Number(from);
  return [{ step: 'slice', from: first, to: isOne ? first + 1 : end, by: by === '' ? 1 : Number(by), isOne }];
}

/** Ends at the first closing parenthesis outside quotes. */
function parseFilter(text: string): ParsedStep | undefined {
  const end = findFilterEnd(text);
  if (end === undefined || text[end + 1] !== ']') return undefined;
  const inside = text.slice(0, end);
  const rest = text.slice(end + 2);
  const { before, operator, after } = parseComparison(inside);
  const [left, right] = [parseJsonPath(before), parseJsonPath(after)];
  return left && right && singleStep({ step: 'filter', left, operator, right }, rest);
}

interface Comparison {
  readonly before: string;
  readonly operator: string;
  readonly after: string;
}

/** An operator at the end loses its last character. */
function parseComparison(inside: string): Comparison {
  const [start = '', before = '', operator = ''] = /^([^!<>=]+)([!<>=]+)/.exec(inside) ?? [];
  const after = inside.slice(start.length);
  if (start === '' || /[\n\r\u2028\u2029]/.test(after) || (after === '' && operator.length === 1)) {
    return { before: inside, operator: 'exists', after: '' };
  }
  return after === ''
    ? { before, operator: operator.slice(0, -1), after: operator.slice(-1) }
    : { before, operator, after };
}

/** Only the first pair of quotes counts. */
function findFilterEnd(text: string): number | undefined {
  let pair = '';
  let isClosed = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\n') return undefined;
    if (char === ')' && (pair === '' || isClosed)) return at;
    if (pair === '' && (char === '"' || char === "'")) pair = char;
    else if (char === pair && text[at - 1] !== '\\') isClosed = true;
  }
  return undefined;
}
