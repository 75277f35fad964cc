import { isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { Document, isCollection, isPair, isSeq, visit } from 'yaml';
import { bigintAsText } from '../../../machinery/json/json-writer.ts';

export interface ScenarioFiles {
  /** `name` is without extension. Reuses a file with equal text. Returns the path. */
  readonly add: (name: string, objects: readonly JsonObject[]) => string;
  /** The script with a webhook's responses. Returns the path. */
  readonly addScript: (
    webhook: string,
    configuration: string | undefined,
    answers: ReadonlyMap<string, readonly JsonObject[]>,
  ) => string;
  readonly all: () => readonly (readonly [path: string, text: string])[];
}

export function createScenarioFiles(): ScenarioFiles {
  // By lower-case paths: file systems of macOS and Windows do not distinguish the case of letters.
  const files = new Map<string, { readonly path: string; readonly text: string }>();
  const addFile = (stem: string, extension: string, text: string): string => {
    for (let number = 1; ; number += 1) {
      const path = `${stem}${number === 1 ? '' : `-${number}`}${extension}`;
      const known = files.get(path.toLowerCase()) ?? { path, text };
      if (path.toLowerCase() !== 'scenario.yaml' && known.path === path && known.text === text) {
        files.set(path.toLowerCase(), known);
        return path;
      }
    }
  };
  return {
    add: (name, objects) => addFile(name, '.yaml', objects.map(manifestYaml).join('---\n')),
    addScript: (webhook, configuration, answers) =>
      addFile(
        [configuration ?? [], webhook]
          .flat()
          .join('.')
          .replaceAll(/[^\w.-]/g, '-'),
        '.js',
        answersScript(webhook, answers),
      ),
    all: () => [...files.values()].map(({ path, text }) => [path, text]),
  };
}

const maxWidth = 110;

function answersScript(webhook: string, answers: ReadonlyMap<string, readonly JsonObject[]>): string {
  const table: JsonObject = Object.fromEntries(answers);
  return `// What ${webhook} answered while this was recorded: the answers to each request in turn, the last of them
// again and again. It allowed every other request.
const answers = ${jsLiteral(table, '')};

const calls = {};

export default function ({ request }) {
  const subject = subjectOf(request);
  const own = answers[subject] ?? [{ allowed: true }];
  calls[subject] = (calls[subject] ?? 0) + 1;
  return own[calls[subject] - 1] ?? own.at(-1);
}

// CREATE pods shop/web
function subjectOf({ operation, resource, subResource, namespace, name, object }) {
  const kind = [resource.resource, resource.group].filter(Boolean).join('.') + (subResource ? \`/\${subResource}\` : '');
  const place = [namespace, object?.metadata?.generateName || name].filter(Boolean).join('/');
  return [operation, kind, place].filter(Boolean).join(' ');
}
`;
}

/** A JavaScript literal, wrapped at 110 columns. */
function jsLiteral(value: JsonValue | undefined, indent: string): string {
  const line = oneLine(value);
  if (indent !== '' && indent.length + line.length <= maxWidth) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return block(
      '[',
      value.map((item: JsonValue) => jsLiteral(item, inner)),
      ']',
      indent,
    );
  if (!isJsonObject(value)) return line;
  const fields = Object.entries(value).map(([field, one]) => `${fieldName(field)}: ${jsLiteral(one, inner)}`);
  return block('{', fields, '}', indent);
}

const block = (open: string, parts: readonly string[], close: string, indent: string): string =>
  [open, ...parts.map((part) => `${indent}  ${part},`), `${indent}${close}`].join('\n');

function oneLine(value: JsonValue | undefined): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (!isJsonObject(value)) return typeof value === 'bigint' ? `${value}n` : JSON.stringify(value ?? null);
  const fields = Object.entries(value).map(([field, one]) => `${fieldName(field)}: ${oneLine(one)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const fieldName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quote(name);

const quote = (text: string): string => {
  const escaped = JSON.stringify(text);
  if (text.includes("'")) return escaped;
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"')}'`;
};

const maxLength = 100;

/** Values that fit on a line are in flow style, others in block style. YAML 1.1. */
export function scenarioYaml(value: JsonValue): string {
  return layOut(value, 4);
}

export const manifestYaml = (object: JsonObject): string => layOut(object, 3);

/** Collections above this depth stay in block style. */
function layOut(value: JsonValue, depth: number): string {
  const document = new Document(value, { version: '1.1', aliasDuplicateObjects: false });
  visit(document, {
    Collection: (_key, node, path) => {
      if (path.length < depth && !isListOfTexts(node.toJSON())) return undefined; // The fields of the scenario itself.
      if (isAction(node.toJSON(), path)) return undefined;
      if (isLoneEntry(node.toJSON(), path.at(-1)) || !isShort(node.toJSON())) return undefined;
      node.flow = true;
      return visit.SKIP;
    },
  });
  if (isCollection(document.contents)) document.contents.flow = false;
  if (document.directives) document.directives.yaml.explicit = false;
  return document.toString({ lineWidth: 0, singleQuote: true });
}

/** Actions stay in block style, except configure. */
const isAction = (value: unknown, path: readonly unknown[]): boolean =>
  path.length === 4 &&
  isPair(path[2]) &&
  String(path[2].key) === 'steps' &&
  !(typeof value === 'object' && value !== null && 'configure' in value);

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');

/** `- delete: pod/web` needs no braces. */
const isLoneEntry = (value: unknown, parent: unknown): boolean =>
  isSeq(parent) && typeof value === 'object' && value !== null && !Array.isArray(value) && isFlat(value);

const isFlat = (value: object): boolean => {
  const all: readonly unknown[] = Object.values(value);
  return all.length === 1 && typeof all[0] !== 'object';
};

const isShort = (value: unknown): boolean => lengthOf(value) <= maxLength && depthOf(value) <= 3;

const lengthOf = (value: unknown): number => JSON.stringify(value, bigintAsText).length;

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
