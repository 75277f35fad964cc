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
    const read = readStep(rest, steps.at(-1));
    if (read === undefined) return undefined;
    steps.push(...read.steps);
    rest = read.rest;
  }
  return steps;
}

interface Read {
  readonly steps: readonly JsonPathStep[];
  readonly rest: string;
}

const one = (step: JsonPathStep, rest: string): Read => ({ steps: [step], rest });

function readStep(text: string, before: JsonPathStep | undefined): Read | undefined {
  if (text.startsWith('[?(')) return readFilter(text.slice(3));
  if (text.startsWith('..')) return before?.step === 'recursive' ? undefined : readRecursive(text.slice(2));
  if (/^[ @$]/.test(text)) return { steps: [], rest: text.slice(1) };
  if (text.startsWith('[')) return readBracket(text.slice(1));
  if (/^["']/.test(text)) return readQuoted(text);
  if (text.startsWith('.')) return readField(text.slice(1));
  if (/^[-+\d]/.test(text)) return readNumber(text);
  return startsWord.test(text) ? readWord(text) : undefined;
}

const startsWord = /^[\p{L}\p{N}_]/u;

function readRecursive(rest: string): Read {
  const field = startsWord.test(rest) ? readField(rest) : { steps: [], rest };
  return { steps: [{ step: 'recursive' }, ...field.steps], rest: field.rest };
}

/** Up to an unescaped terminator. */
function readField(text: string): Read {
  const [raw = ''] = /^(?:\\.|[^\\ \t\r\n.,[\]$@{}])*/s.exec(text) ?? [];
  const rest = text.slice(raw.length);
  return one(raw === '*' ? { step: 'wildcard' } : { step: 'field', name: raw.replaceAll('\\', '') }, rest);
}

function readWord(text: string): Read {
  const [word = ''] = /^[^ \t\r\n.,[\]$@{}]+/.exec(text) ?? [];
  const isBoolean = word === 'true' || word === 'false';
  return one(isBoolean ? { step: 'value', value: word === 'true' } : { step: 'word' }, text.slice(word.length));
}

function readNumber(text: string): Read | undefined {
  const [digits = ''] = /^[-+]?[\d.]*/.exec(text) ?? [];
  if (!/^[-+]?(\d+(\.\d*)?|\.\d+)$/.test(digits)) return undefined;
  return one({ step: 'value', value: Number(digits) }, text.slice(digits.length));
}

function readQuoted(text: string): Read | undefined {
  const [whole, double, single] = /^(?:"((?:\\"|[^"\n])*)"|'((?:\\'|[^'\n])*)')/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const value = (double ?? single ?? '').replaceAll(/\\(.)/g, '$1');
  return one({ step: 'value', value }, text.slice(whole.length));
}

/** Up to the first bracket, even one in quotes. */
function readBracket(text: string): Read | undefined {
  const [whole, inside = ''] = /^([^\]\n]*)\]/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const rest = text.slice(whole.length);
  const parts = inside.split(',');
  if (parts.length > 1) {
    const branches = allRead(parts.map((part) => parseJsonPath(`[${trim(part, ' ')}]`)));
    return branches && one({ step: 'union', branches }, rest);
  }
  const [, key] = /^'([^']*)'$/.exec(inside) ?? [];
  // A quoted key is parsed as a path: dots separate fields.
  const steps = key === undefined ? readSlice(inside === '*' ? ':' : inside) : parseJsonPath(`.${key}`);
  return steps && { steps, rest };
}

const allRead = (paths: readonly (JsonPath | undefined)[]): readonly JsonPath[] | undefined =>
  paths.every((path) => path !== undefined) ? paths : undefined;

function readSlice(text: string): JsonPath | undefined {
  const [whole, from = '', to, by = ''] = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(text) ?? [];
  if (whole === undefined || [from, to, by].includes('-')) return undefined;
  const isOne = to === undefined;
  const end = to === '' ? undefined : Number(to);
  const first = Number(from);
  return [{ step: 'slice', from: first, to: isOne ? first + 1 : end, by: by === '' ? 1 : Number(by), isOne }];
}

/** Ends at the first closing parenthesis outside quotes. */
function readFilter(text: string): Read | undefined {
  const end = endOfFilter(text);
  if (end === undefined || text[end + 1] !== ']') return undefined;
  const inside = text.slice(0, end);
  const rest = text.slice(end + 2);
  const { before, operator, after } = comparisonIn(inside);
  const [left, right] = [parseJsonPath(before), parseJsonPath(after)];
  return left && right && one({ step: 'filter', left, operator, right }, rest);
}

interface Comparison {
  readonly before: string;
  readonly operator: string;
  readonly after: string;
}

/** An operator at the end loses its last character. */
function comparisonIn(inside: string): Comparison {
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
function endOfFilter(text: string): number | undefined {
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
