import { append } from '../../../machinery/json/append.ts';
import { LineCounter, isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { Document, Node, Pair } from 'yaml';
import { isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { plainValue } from '../../../machinery/json/json-reader.ts';
import { decodeDocument } from '../../../machinery/yaml/decode-document.ts';
import { keyText } from '../../../machinery/yaml/map-key.ts';
import { composeYaml, yamlTokens } from '../../../machinery/yaml/parse-yaml.ts';
import { resolveScalar } from '../../../machinery/yaml/resolve-scalar.ts';
import { YamlFault } from '../../../machinery/yaml/yaml-fault.ts';
import type { Place } from '../format.ts';
import { repeatedKeys } from './repeated-keys.ts';
import { yamlMessage } from './yaml-message.ts';

/** A value in a YAML file, with where it stands and how to get there: `steps[0].expect.deniedBy`. */
export interface Located {
  readonly value: JsonValue;
  readonly path: string;
  readonly place: Place;
  /** Where its name stands; the value's own place in lists and at the top. */
  readonly keyPlace: Place;
  /** A field; undefined when it is not there. */
  readonly get: (field: string) => Located | undefined;
  /** The elements of a list; [] when it is none. */
  readonly items: () => readonly Located[];
  /** The fields of a mapping in order; [] when it is none. */
  readonly entries: () => readonly (readonly [name: string, field: Located])[];
}

export interface YamlProblem {
  readonly place: Place;
  readonly message: string;
}

export interface YamlDocuments {
  /** Empty documents are left out. */
  readonly documents: readonly Located[];
  readonly problems: readonly YamlProblem[];
}

/**
 * Reads a YAML (or JSON) text as Go's reader does: YAML 1.1, so that `yes` is true, and dates stay texts. Documents with
 * errors are in `problems` only. The text may be a part of a file that begins on this line.
 */
export function readLocated(file: string, text: string, firstLine = 1): YamlDocuments {
  const yaml = parse(file, text, firstLine);
  if (yaml === undefined) {
    const message = `it is nested deeper than ${deepest} levels`;
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

/** Undefined for a text that nests too deep. */
function parse(file: string, text: string, firstLine: number): Parsed | undefined {
  const lines = new LineCounter();
  const tokens = yamlTokens(text, { levels: deepest, values: Infinity }, lines.addNewLine);
  if (typeof tokens === 'string') return undefined;
  const parsed = composeYaml(tokens, text);
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1) + firstLine - 1, column: Math.max(col, 1) };
  };
  return { parsed, at };
}

/** The composer recurses. */
const deepest = 200;

type At = (offset: number) => Place;

function readDocument(
  document: Document.Parsed,
  at: At,
): { readonly value: JsonValue; readonly problems: readonly YamlProblem[] } {
  const wrong = document.errors.map((error) => ({ offset: error.pos[0], message: yamlMessage(error) }));
  const repeated = repeatedKeys(document).map((offset) => ({ offset, message: 'this key is there already' }));
  const problems = [...wrong, ...repeated]
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, message }) => ({ place: at(offset), message }));
  if (problems.length > 0) return { value: null, problems: firstOfEachLine(problems) };
  try {
    const { value } = decodeDocument(document.contents, { lineOf: (offset) => at(offset).line, mostValues: Infinity });
    return { value: plainValue(value), problems: [] };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const message = error.message.replace(/^yaml: /, '');
    return { value: null, problems: [{ place: at(document.range[0]), message }] };
  }
}

/** What follows on a line that cannot be read, and all that has no place after it, comes of the first problem. */
function firstOfEachLine(problems: readonly YamlProblem[]): readonly YamlProblem[] {
  const lines = new Set<number>();
  return problems.filter(({ place: { line }, message }, index) => {
    if (lines.has(line)) return false;
    lines.add(line);
    return index === 0 || !message.includes('token in YAML stream');
  });
}

interface Spot {
  readonly node: unknown;
  readonly value: JsonValue;
  readonly path: string;
  readonly key?: unknown;
}

function locate({ node, value, path, key }: Spot, document: Document.Parsed, at: At): Located {
  const target = isAlias(node) ? node.resolve(document) : node;
  const child = (spot: Spot): Located => locate(spot, document, at);
  let pairs: ReadonlyMap<string, Pair> | undefined;
  const field = (name: string): Located | undefined => {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    pairs ??= new Map(isMap(target) ? target.items.map((one) => [keyOf(one), one]) : []);
    // A field that came with `<<` has no pair of its own: it stands where the mapping does.
    const pair = pairs.get(name);
    const next = value[name];
    return child({ node: pair?.value ?? node, key: pair?.key, value: next ?? null, path: fieldPath(path, name) });
  };
  return {
    value,
    path,
    get place() {
      return at(startOf(node));
    },
    get keyPlace() {
      return at(startOf(key ?? node));
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

const keyOf = ({ key }: Pair): string => (isScalar(key) ? keyText(resolveScalar(key)) : String(key));

function startOf(node: unknown): number {
  const range = isPair(node) ? rangeOf(node.key) : rangeOf(node);
  return range?.[0] ?? 0;
}

const rangeOf = (node: unknown): Node['range'] =>
  typeof node === 'object' && node !== null && 'range' in node ? (node as Node).range : undefined;

/** `steps[0]` and `expect` as `steps[0].expect`; names that are no plain words in quotes. */
export function fieldPath(path: string, name: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
