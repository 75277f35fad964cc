import { errorText } from '../../../machinery/error-text.ts';
import { append } from '../../../machinery/json/append.ts';
import { Composer, LineCounter, isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { Document, Node, Pair, Tags } from 'yaml';
import { isJsonObject, setOwn } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { yamlTokens } from '../../../machinery/yaml/parse-yaml.ts';
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
  const yaml = parse({ file, text, firstLine });
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

/** A text, or a part of one that begins on a line of its file. */
interface Part {
  readonly file: string;
  readonly text: string;
  readonly firstLine: number;
}

/** A document that others have read already, nothing being wrong with it; undefined when it cannot be found. */
export function locateRead(part: Part, value: JsonValue): Located | undefined {
  const yaml = parse(part);
  const document = yaml?.parsed.find(({ contents }) => contents !== null);
  return yaml && document && locate({ node: document.contents, value, path: '' }, document, yaml.at);
}

interface Parsed {
  readonly parsed: readonly Document.Parsed[];
  readonly at: At;
}

/** Undefined for a text that nests too deep. */
function parse({ file, text, firstLine }: Part): Parsed | undefined {
  const lines = new LineCounter();
  const tokens = yamlTokens(text, { levels: deepest, values: Infinity }, lines.addNewLine);
  if (typeof tokens === 'string') return undefined;
  const composer = new Composer({
    version: '1.1',
    intAsBigInt: true,
    logLevel: 'silent',
    uniqueKeys: false,
    customTags: (tags: Tags) => tags.filter(isKnownToGo),
  });
  const parsed = [...composer.compose(tokens)];
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1) + firstLine - 1, column: Math.max(col, 1) };
  };
  return { parsed, at };
}

/** The composer recurses. */
const deepest = 200;

/** A date stays the text it is, and `1:30` is no number of base 60. Follows sigs.k8s.io/yaml goyaml.v2/resolve.go. */
const isKnownToGo = (tag: Tags[number]): boolean =>
  typeof tag === 'string' || (!tag.tag.endsWith(':timestamp') && !('format' in tag && tag.format === 'TIME'));

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
    return { value: plain(document.toJS({ maxAliasCount: 100 })), problems: [] };
  } catch (error) {
    const message = errorText(error);
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

/** Only what JSON can say; integers beyond 2^53 stay bigint. */
function plain(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object') return null;
  return Object.entries(value).reduce((object, [field, one]) => setOwn(object, field, plain(one)), {});
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

const keyOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);

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
