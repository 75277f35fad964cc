/** One step of a path. */
export type Step =
  | { readonly step: 'field'; readonly name: string }
  | { readonly step: 'slice'; readonly from?: number; readonly to?: number; readonly by?: number }
  | { readonly step: 'index'; readonly index: number }
  | { readonly step: 'filter'; readonly left: Operand; readonly operator: string; readonly right: Operand }
  | { readonly step: 'union'; readonly branches: readonly (readonly Step[])[] }
  | { readonly step: 'wildcard' | 'recursive' };

export type Operand = { readonly path: readonly Step[] } | { readonly value: string | number | boolean };

/** Ours: nobody writes longer ones. */
const longest = 2000;

/** A path such as `.status.conditions[?(@.type=="Ready")].status`; undefined for one that cannot be read. Follows client-go util/jsonpath/parser.go. */
export function parseJsonPath(text: string): readonly Step[] | undefined {
  if (text.length > longest) return undefined;
  const steps: Step[] = [];
  let rest = text.replace(/^[$@]/, '');
  while (rest !== '') {
    const read = readRecursive(rest) ?? readField(rest) ?? readBracket(rest);
    if (read === undefined) return undefined;
    if (read.step !== undefined) steps.push(read.step);
    rest = read.rest;
  }
  return steps;
}

interface Read {
  readonly step: Step | undefined;
  readonly rest: string;
}

/** The field that follows two dots stays in the text, with one of them. */
const readRecursive = (text: string): Read | undefined =>
  text.startsWith('..') ? { step: { step: 'recursive' }, rest: text.slice(/^\.\.[[.]/.test(text) ? 2 : 1) } : undefined;

function readField(text: string): Read | undefined {
  const [whole, raw = ''] = /^\.((?:\\.|[^.[\\])*)/s.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const rest = text.slice(whole.length);
  if (raw === '') return { step: undefined, rest };
  return { step: raw === '*' ? { step: 'wildcard' } : { step: 'field', name: raw.replaceAll(/\\(.)/gs, '$1') }, rest };
}

function readBracket(text: string): Read | undefined {
  if (!text.startsWith('[')) return undefined;
  const end = closingBracket(text);
  if (end < 0) return undefined;
  const step = readInside(text.slice(1, end));
  return step && { step, rest: text.slice(end + 1) };
}

/** Brackets inside quotes and inside filters do not count. */
function closingBracket(text: string): number {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quote !== '') quote = char === quote && text[at - 1] !== '\\' ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '[') depth += 1;
    else if (char === ']') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function readInside(text: string): Step | undefined {
  if (text === '*') return { step: 'wildcard' };
  const [, filter] = /^\?\((.*)\)$/s.exec(text) ?? [];
  if (filter !== undefined) return readFilter(filter);
  const [, quoted] = /^'((?:\\.|[^'\\])*)'$/s.exec(text) ?? [];
  if (quoted !== undefined) return { step: 'field', name: quoted.replaceAll(/\\(.)/gs, '$1') };
  return readSlice(text) ?? readUnion(text);
}

function readSlice(text: string): Step | undefined {
  const [whole, from, , to, , by] = /^(-?\d+)?(:(-?\d+)?)?(:(-?\d+)?)?$/.exec(text) ?? [];
  if (whole === undefined || text === '') return undefined;
  if (!text.includes(':')) return { step: 'index', index: Number(from) };
  const number = (digits: string | undefined): number | undefined =>
    digits === undefined ? undefined : Number(digits);
  return {
    step: 'slice',
    ...(from === undefined ? {} : { from: Number(from) }),
    ...(number(to) === undefined ? {} : { to: Number(to) }),
    ...(number(by) === undefined ? {} : { by: Number(by) }),
  };
}

function readUnion(text: string): Step | undefined {
  const parts = text.match(/'(?:\\.|[^'\\])*'|[^,']+/gs) ?? [];
  if (parts.length < 2) return undefined;
  const branches = parts.map((part) => parseJsonPath(`[${part.trim()}]`)).filter((branch) => branch !== undefined);
  return branches.length === parts.length ? { step: 'union', branches } : undefined;
}

function readFilter(text: string): Step | undefined {
  const [, left, operator, right] = /^([^!<>=]+)([!<>=]+)(.+?)$/s.exec(text) ?? [];
  if (left === undefined || operator === undefined || right === undefined) {
    const exists = readOperand(text);
    return exists && { step: 'filter', left: exists, operator: 'exists', right: { value: true } };
  }
  const operands = [readOperand(left.trim()), readOperand(right.trim())] as const;
  return operands[0] && operands[1] && { step: 'filter', left: operands[0], operator, right: operands[1] };
}

function readOperand(text: string): Operand | undefined {
  const [, quoted, single] = /^(?:"(.*)"|'(.*)')$/s.exec(text) ?? [];
  const plain = quoted ?? single;
  if (plain !== undefined) return { value: plain.replaceAll(/\\(.)/gs, '$1') };
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  if (/^-?\d+(\.\d+)?$/.test(text)) return { value: Number(text) };
  const path = text.startsWith('@') || text.startsWith('$') || text.startsWith('.') ? parseJsonPath(text) : undefined;
  return path && { path };
}
