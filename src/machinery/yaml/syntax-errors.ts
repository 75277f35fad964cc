import type { ErrorCode, YAMLParseError } from 'yaml';

type ParserError = Pick<YAMLParseError, 'code' | 'message' | 'pos'>;

/** go-yaml's scanner counts lines from 1, its parser from 0. */
type Part = 'scanner' | 'parser';

/** Where go-yaml notices the error: at the library's offset, at the next `: `, the next token, the first token of a later line, or the end. */
type Notice = 'offset' | 'colon' | 'token' | 'later' | 'end';

type Rule = readonly [
  code: ErrorCode,
  /** The library's message; the text before the position. */
  fits: { readonly message?: RegExp; readonly before?: Pick<RegExp, 'test'> },
  part: Part,
  text: string,
  notice: Notice,
];

const noKey = 'did not find expected key';
const noColon = "could not find expected ':'";
const noContent = 'did not find expected node content';
const noToken = 'found character that cannot start any token';
const noValues = 'mapping values are not allowed in this context';
const noEntries = 'block sequence entries are not allowed in this context';
const noDash = "did not find expected '-' indicator";
const noItemEnd = "did not find expected ',' or ']'";
const noPairEnd = "did not find expected ',' or '}'";

const startOfLine = /(?:^|\n)[ \t]*$/;
/** The last line with text is indented at least as deep as the place. */
const indentedBelowKey = {
  test(before: string): boolean {
    const end = before.lastIndexOf('\n');
    const indent = before.slice(end + 1);
    if (end < 0 || !/^ *$/.test(indent)) return false;
    const lines = before.slice(0, end).split('\n');
    const last = lines.findLast((line) => line !== '') ?? '';
    return last.length > indent.length && last.startsWith(indent);
  },
};
/** A bracket is open. */
const inFlowMap = /\{[^[\]{}]*$/;
const inFlowList = /\[[^[\]{}]*$/;
const flowOpening = /[[{,:]\s*$/;

/** The texts of goyaml.v2 scannerc.go and parserc.go for the errors of the library `yaml`. The first rule that fits counts. */
const rules: readonly Rule[] = [
  ['UNEXPECTED_TOKEN', { message: /block-seq-ind/, before: startOfLine }, 'parser', noKey, 'offset'],
  ['UNEXPECTED_TOKEN', { message: /block-seq-ind/ }, 'scanner', noEntries, 'offset'],
  ['UNEXPECTED_TOKEN', { message: /at node end$/, before: startOfLine }, 'scanner', noColon, 'later'],
  ['UNEXPECTED_TOKEN', { message: /at node end$/, before: inFlowMap }, 'parser', noPairEnd, 'offset'],
  ['UNEXPECTED_TOKEN', { message: /at node end$/, before: inFlowList }, 'parser', noItemEnd, 'offset'],
  ['UNEXPECTED_TOKEN', { message: /scalar token$/ }, 'scanner', noValues, 'colon'],
  ['UNEXPECTED_TOKEN', { message: /: [|>][-+]?0/ }, 'scanner', 'found an indentation indicator equal to 0', 'offset'],
  ['UNEXPECTED_TOKEN', { message: /^Block/ }, 'scanner', 'did not find expected comment or line break', 'offset'],
  ['UNEXPECTED_TOKEN', { message: /flow-(?:map|seq)-end/, before: flowOpening }, 'parser', noContent, 'offset'],
  ['UNEXPECTED_TOKEN', { message: /in flow (?:map|sequence)$/ }, 'parser', noContent, 'offset'],
  ['BLOCK_AS_IMPLICIT_KEY', {}, 'scanner', noValues, 'colon'],
  ['MULTILINE_IMPLICIT_KEY', { before: indentedBelowKey }, 'scanner', noColon, 'later'],
  ['MULTILINE_IMPLICIT_KEY', {}, 'scanner', noValues, 'colon'],
  ['MISSING_CHAR', { message: /^Implicit map keys/ }, 'scanner', noColon, 'later'],
  ['MISSING_CHAR', { message: /^Missing closing/ }, 'scanner', 'found unexpected end of stream', 'end'],
  ['MISSING_CHAR', { message: /^Sequence item/ }, 'parser', noDash, 'offset'],
  ['MISSING_CHAR', { message: /^Flow/, before: flowOpening }, 'parser', noContent, 'token'],
  ['MISSING_CHAR', { message: /flow seq/i }, 'parser', noItemEnd, 'token'],
  ['MISSING_CHAR', { message: /flow map/i }, 'parser', noPairEnd, 'token'],
  ['BAD_INDENT', { message: /^Flow/, before: flowOpening }, 'parser', noContent, 'token'],
  ['BAD_INDENT', { message: /^Flow seq/ }, 'parser', noItemEnd, 'token'],
  ['BAD_INDENT', { message: /^Flow map/ }, 'parser', noPairEnd, 'token'],
  ['BAD_INDENT', { message: /sequence items/ }, 'parser', noDash, 'offset'],
  [
    'BAD_INDENT',
    { message: /^Block scalar values/ },
    'scanner',
    'found a tab character where an indentation space is expected',
    'offset',
  ],
  ['BLOCK_IN_FLOW', { before: inFlowMap }, 'parser', noPairEnd, 'offset'],
  ['BLOCK_IN_FLOW', {}, 'parser', noItemEnd, 'offset'],
  [
    'BAD_DQ_ESCAPE',
    { message: /\\(?:[xuU][\da-f]+$|Ud[89a-f])/i },
    'scanner',
    'found invalid Unicode character escape code',
    'offset',
  ],
  ['BAD_DQ_ESCAPE', { message: /\\[xuU]/ }, 'scanner', 'did not find expected hexdecimal number', 'offset'],
  ['BAD_DQ_ESCAPE', {}, 'scanner', 'found unknown escape character', 'offset'],
  ['BAD_SCALAR_START', { message: /flow indicator/ }, 'parser', noContent, 'offset'],
  ['BAD_SCALAR_START', {}, 'scanner', noToken, 'offset'],
  [
    'TAB_AS_INDENT',
    { before: /[^\s:?"'-]\s*$/ },
    'scanner',
    'found a tab character that violates indentation',
    'offset',
  ],
  ['TAB_AS_INDENT', {}, 'scanner', noToken, 'offset'],
  ['BAD_ALIAS', {}, 'scanner', 'did not find expected alphabetic or numeric character', 'offset'],
  ['TAG_RESOLVE_FAILED', { message: /^Could not/ }, 'parser', 'found undefined tag handle', 'offset'],
  ['TAG_RESOLVE_FAILED', { message: /must end with/ }, 'scanner', "did not find the expected '>'", 'offset'],
];

/** The first error of a text as go-yaml reports it: `line 2: mapping values are not allowed in this context`. */
export function syntaxError(errors: readonly ParserError[], text: string, lineOf: (offset: number) => number): string {
  const offset = errors.reduce((first, { pos }) => Math.min(first, pos[0]), text.length);
  const before = text.slice(Math.max(0, offset - 200), offset);
  const atOffset = errors.filter(({ pos }) => pos[0] === offset);
  const first = atOffset.find(({ code }) => code === 'UNEXPECTED_TOKEN') ?? atOffset[0];
  const [, , part, problem, notice] = rules.find(
    ([code, fits]) =>
      code === first?.code && (fits.message?.test(first.message) ?? true) && (fits.before?.test(before) ?? true),
  ) ?? ['', {}, 'parser', noKey, 'offset'];
  const at = noticeOffset(text, offset, notice);
  // The end counts as a line of its own, unless something is missing there.
  const line = lineOf(at) + (at === text.length && notice !== 'end' && !text.endsWith('\n') ? 1 : 0);
  return part === 'scanner' ? scanError(line, problem) : atLine(line - 1, problem);
}

/** go-yaml does not name the first line. */
export const scanError = (line: number, problem: string): string => atLine(line > 1 ? line : 0, problem);

export const atLine = (line: number, problem: string): string => (line === 0 ? problem : `line ${line}: ${problem}`);

function noticeOffset(text: string, offset: number, notice: Notice): number {
  switch (notice) {
    case 'offset':
      return offset;
    case 'colon': {
      const colon = text.slice(offset).search(/:(?=\s|$)/);
      return colon < 0 ? text.length : offset + colon;
    }
    case 'token':
      return nextToken(text, offset);
    case 'later':
      return nextToken(text, endOfLine(text, offset));
    case 'end':
      return text.length;
  }
}

/** The offset of the next character outside white space and comments. */
function nextToken(text: string, offset: number): number {
  for (let at = offset; at < text.length; at += 1) {
    if (text[at] === '#') at = endOfLine(text, at);
    else if (!/\s/.test(text.charAt(at))) return at;
  }
  return text.length;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}
