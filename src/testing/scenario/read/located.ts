import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  visit,
  type YAMLParseError,
} from 'yaml';
import { plainValue } from '../../../machinery/json/json-reader.ts';
import { append, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { decodeDocument } from '../../../machinery/yaml/decode-document.ts';
import { YamlFault } from '../../../machinery/yaml/lex-yaml.ts';
import { composeYaml, parseTokens } from '../../../machinery/yaml/parse-yaml.ts';
import { resolveScalar, yamlKeyText } from '../../../machinery/yaml/resolve-scalar.ts';
import type { SourceLocation } from '../format.ts';

/** A value with its place and its path: `steps[0].expect.deniedBy`. */
export interface Located {
  readonly value: JsonValue;
  readonly path: string;
  readonly place: SourceLocation;
  /** Place of its key; its own place in lists and at the top. */
  readonly keyPlace: SourceLocation;
  readonly get: (field: string) => Located | undefined;
  /** [] for other values. */
  readonly items: () => readonly Located[];
  /** In order; [] for other values. */
  readonly entries: () => readonly (readonly [name: string, field: Located])[];
}

interface YamlProblem {
  readonly place: SourceLocation;
  readonly message: string;
}

interface YamlDocuments {
  /** Without empty documents. */
  readonly documents: readonly Located[];
  readonly problems: readonly YamlProblem[];
}

/**
 * Reads YAML or JSON as Go does: YAML 1.1, so `yes` is true; dates stay texts. A document with errors is only in `problems`. `firstLine` is
 * the line of the file where the text begins.
 */
export function readLocated(file: string, text: string, firstLine = 1): YamlDocuments {
  const yaml = parse(file, text, firstLine);
  if (yaml === undefined) {
    const message = `it is nested deeper than ${maxDepth} levels`;
    return { documents: [], problems: [{ place: { file, line: firstLine, column: 1 }, message }] };
  }
  const { parsed, at } = yaml;
  const documents: Located[] = [];
  const problems: YamlProblem[] = [];
  for (const document of parsed) {
    const found = readDocument(document, at);
    append(problems, found.problems);
    if (found.value !== null)
      documents.push(locate({ node: document.contents, value: found.value, path: '' }, document, at));
  }
  return { documents, problems };
}

interface Parsed {
  readonly parsed: readonly Document.Parsed[];
  readonly at: At;
}

/** undefined when the text nests too deep. */
function parse(file: string, text: string, firstLine: number): Parsed | undefined {
  const lines = new LineCounter();
  const tokens = parseTokens(text, { levels: maxDepth, values: Infinity }, lines.addNewLine);
  if (typeof tokens === 'string') return undefined;
  const parsed = composeYaml(tokens, text);
  const at = (offset: number): SourceLocation => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1) + firstLine - 1, column: Math.max(col, 1) };
  };
  return { parsed, at };
}

/** The composer recurses. */
const maxDepth = 200;

type At = (offset: number) => SourceLocation;

function readDocument(
  document: Document.Parsed,
  at: At,
): { readonly value: JsonValue; readonly problems: readonly YamlProblem[] } {
  const errors = document.errors.map((error) => ({ offset: error.pos[0], message: yamlMessage(error) }));
  const repeated = repeatedKeys(document).map((offset) => ({ offset, message: 'this key is there already' }));
  const problems = [...errors, ...repeated]
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, message }) => ({ place: at(offset), message }));
  if (problems.length > 0) return { value: null, problems: firstOfEachLine(problems) };
  try {
    const { value } = decodeDocument(document.contents, { lineOf: (offset) => at(offset).line, maxValues: Infinity });
    return { value: plainValue(value), problems: [] };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const message = error.message.replace(/^yaml: /, '');
    return { value: null, problems: [{ place: at(document.range[0]), message }] };
  }
}

/** Errors on the same line, and at the end of the stream, follow from the first one. */
function firstOfEachLine(problems: readonly YamlProblem[]): readonly YamlProblem[] {
  const lines = new Set<number>();
  return problems.filter(({ place: { line }, message }, index) => {
    if (lines.has(line)) return false;
    lines.add(line);
    return index === 0 || !message.includes('token in YAML stream');
  });
}

interface NodeValue {
  readonly node: unknown;
  readonly value: JsonValue;
  readonly path: string;
  readonly key?: unknown;
}

function locate({ node, value, path, key }: NodeValue, document: Document.Parsed, at: At): Located {
  const target = isAlias(node) ? node.resolve(document) : node;
  const child = (spot: NodeValue): Located => locate(spot, document, at);
  let pairs: ReadonlyMap<string, Pair> | undefined;
  const field = (name: string): Located | undefined => {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    pairs ??= new Map(isMap(target) ? target.items.map((one) => [pairKey(one), one]) : []);
    // A field merged by `<<` has no pair: it gets the place of the mapping.
    const pair = pairs.get(name);
    const next = value[name];
    return child({ node: pair?.value ?? node, key: pair?.key, value: next ?? null, path: fieldPath(path, name) });
  };
  return {
    value,
    path,
    get place() {
      return at(startOffset(node));
    },
    get keyPlace() {
      return at(startOffset(key ?? node));
    },
    get: field,
    items: () => {
      if (!Array.isArray(value)) return [];
      const nodes = isSeq(target) ? target.items : [];
      return value.map((item, index) => child({ node: nodes[index] ?? node, value: item, path: `${path}[${index}]` }));
    },
    entries: () => {
      const names = isJsonObject(value) ? Object.keys(value) : [];
      return names.flatMap((name) => {
        const found = field(name);
        return found ? [[name, found] as const] : [];
      });
    },
  };
}

const pairKey = ({ key }: Pair): string => (isScalar(key) ? yamlKeyText(resolveScalar(key)) : String(key));

function startOffset(node: unknown): number {
  const range = isPair(node) ? rangeOf(node.key) : rangeOf(node);
  return range?.[0] ?? 0;
}

const rangeOf = (node: unknown): Node['range'] =>
  typeof node === 'object' && node !== null && 'range' in node ? (node as Node).range : undefined;

/** `steps[0].expect`; names that are not plain words are quoted. */
function fieldPath(path: string, name: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

type ParserError = Pick<YAMLParseError, 'code' | 'message'>;

const secondColon = 'a second ": " after the key: put the text in quotes, or the mapping on lines of its own';

const fixes: Partial<Record<ParserError['code'], (sentence: string) => string>> = {
  BLOCK_AS_IMPLICIT_KEY: () => secondColon,
  BLOCK_IN_FLOW: () => secondColon,
  BAD_ALIAS: () => 'a string that begins with * needs quotes; without them it is an alias',
  BAD_SCALAR_START: (sentence) => `a string that begins with ${sentence.at(-1) ?? 'this'} needs quotes`,
  BAD_DQ_ESCAPE: (sentence) => `${sentence}: write \\\\ in double quotes, or use single quotes`,
  TAB_AS_INDENT: () => 'a tab at the beginning of the line: YAML wants spaces there',
};

/** The YAML parser's message with a fix for common mistakes. */
function yamlMessage({ code, message }: ParserError): string {
  const sentence = (message.split('\n')[0] ?? '').replace(/\.?$/, '');
  const word = fixes[code];
  if (word) return word(sentence);
  return sentence.startsWith('Implicit ') ? `${sentence}: is a ": " missing, or the indentation wrong?` : sentence;
}

/** Offsets of repeated keys; `<<` may repeat. The parser's own check is quadratic: minutes for a mapping of 100,000 keys. */
function repeatedKeys(document: Document.Parsed): readonly number[] {
  const offsets: number[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) offsets.push(key.range?.[0] ?? 0);
        seen.add(key.value);
      }
    },
  });
  return offsets;
}
