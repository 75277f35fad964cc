import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  Parser,
  type YAMLParseError,
} from 'yaml';
import { createLexemeCounter, lexYaml, scanAsGo, YamlFault } from './lex-yaml.ts';
import { atLine, syntaxError } from './syntax-errors.ts';

/** A node; null for a key without a value. */
export type YamlNode = ParsedNode | null;

export type AliasTargets = ReadonlyMap<Alias, YamlNode>;

export interface YamlLimits {
  /** How deep lists and maps nest: readers of the tokens recurse. */
  readonly levels: number;
  readonly values: number;
}

type Excess = 'too deep' | 'too long';

/** More lexemes per value than this are comments and empty lines. */
const lexemesOfValue = 10;

/** The syntax trees of the documents and the tokens between them; or the limit that the text exceeds. */
export function parseTokens(
  text: string,
  limits: YamlLimits,
  onNewLine: (offset: number) => void,
): readonly CST.Token[] | Excess {
  const parser = new Parser(onNewLine);
  const tokens: CST.Token[] = [];
  const exceeds = createLexemeCounter(limits.values);
  const maxLexemes = limits.values * lexemesOfValue;
  const lexemes = lexYaml(text, maxLexemes, limits.levels);
  onNewLine(0);
  for (const lexeme of scanAsGo(lexemes)) {
    if (exceeds(lexeme)) return 'too long';
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (nestingOf(parser.stack) > limits.levels) return 'too deep';
  }
  if (lexemes.length >= maxLexemes) return 'too long';
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** The bottom of the stack is the document, its top may be a scalar. */
function nestingOf(stack: readonly CST.Token[]): number {
  const top = stack.at(-1)?.type;
  const isOpen = top === 'block-map' || top === 'block-seq' || top === 'flow-collection';
  return stack.length - (isOpen ? 1 : 2);
}

export interface ParsedYaml {
  /** The root of the first document; undefined for a text without one. */
  readonly root: YamlNode | undefined;
  readonly lineOf: (offset: number) => number;
}

/** Parses the first document of a text. Scalars stay texts. Throws a YamlFault in go-yaml's words. */
export function parseYaml(text: string, limits: YamlLimits, tooLong: string): ParsedYaml {
  const source = text.replaceAll(otherLineBreaks, '\n');
  const lines = new LineCounter();
  const tokens = parseTokens(source, limits, lines.addNewLine);
  if (tokens === 'too deep') throw new YamlFault(`yaml: exceeded max depth of ${limits.levels}`);
  if (tokens === 'too long') throw new YamlFault(tooLong);
  const lineOf = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const first = tokens.findIndex(isDocument);
  const second = tokens.findIndex((token, index) => index > first && isDocument(token));
  const [document] = composeYaml(second < 0 ? tokens : tokens.slice(0, second), source);
  const stray = hasContent(tokens[first]) ? undefined : tokens.find(isStray);
  if (stray) throw new YamlFault(`yaml: ${atLine(lineOf(stray.offset) - 1, 'did not find expected node content')}`);
  if (first < 0 || !document) return { root: undefined, lineOf };
  const errors = selectGoErrors(document, lines);
  if (errors.length > 0) throw new YamlFault(`yaml: ${syntaxError(errors, source, lineOf)}`);
  const { yaml } = document.directives;
  if (yaml.explicit && yaml.version !== '1.1') throw new YamlFault('yaml: found incompatible YAML document');
  return { root: document.contents, lineOf };
}

/** The documents of a text. Scalars stay texts. */
export function composeYaml(tokens: readonly CST.Token[], source: string): readonly Document.Parsed[] {
  const composer = new Composer({ version: '1.1', schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false });
  const documents = [...composer.compose(tokens, true, source.length)];
  endBlockScalar(documents.at(-1)?.contents ?? null, source);
  return documents;
}

/** To go-yaml they are line breaks too. */
const otherLineBreaks = /\r(?!\n)|\u0085/g;

const isDocument = ({ type }: CST.Token): boolean => type === 'document';

/** An empty document has content if `---` precedes it. */
const hasContent = (token: CST.Token | undefined): boolean =>
  token?.type === 'document' && (token.value !== undefined || token.start.some(({ type }) => type === 'doc-start'));

/** Neither a document nor a directive, a comment or white space. */
const isStray = ({ type }: CST.Token): boolean => type === 'error' || type === 'doc-end' || type === 'flow-error-end';

/**
 * The errors that go-yaml finds. It stops after the root node, at a line that is indented less, or directly after a
 * scalar or brackets. A comment may follow a quote or bracket directly.
 */
function selectGoErrors(
  { contents: root, errors: all }: Document.Parsed,
  lines: LineCounter,
): readonly YAMLParseError[] {
  const errors = all.filter(({ message }) => !message.startsWith('Comments must be separated'));
  if (root === null) return errors;
  const [start, end] = root.range;
  const minIndent = isCollection(root) && root.flow !== true ? lines.linePos(start).col : Infinity;
  const unread = errors.find(
    ({ code, pos }) => code === 'UNEXPECTED_TOKEN' && pos[0] >= end && lines.linePos(pos[0]).col < minIndent,
  );
  return unread ? errors.filter(({ pos }) => pos[0] < unread.pos[0]) : errors;
}

/** The last line of a block scalar has a line break only if the text ends with one. */
function endBlockScalar(root: YamlNode, source: string): void {
  if (/(?:^|\n) *$/.test(source)) return;
  let last = root;
  while (isSeq(last) || isMap(last))
    last = isSeq(last) ? (last.items.at(-1) ?? null) : (last.items.at(-1)?.value ?? null);
  if (isScalar<string>(last) && last.type?.startsWith('BLOCK_') && last.range[1] === source.length)
    last.value = last.value.replace(/\n$/, '');
}
