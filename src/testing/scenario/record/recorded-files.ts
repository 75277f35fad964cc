import { isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { manifestYaml } from './scenario-yaml.ts';

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

export function createFiles(): ScenarioFiles {
  // By lower-case paths: file systems of macOS and Windows do not distinguish the case of letters.
  const files = new Map<string, { readonly path: string; readonly text: string }>();
  const put = (stem: string, extension: string, text: string): string => {
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
    add: (name, objects) => put(name, '.yaml', objects.map(manifestYaml).join('---\n')),
    addScript: (webhook, configuration, answers) =>
      put(
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

const widest = 110;

function answersScript(webhook: string, answers: ReadonlyMap<string, readonly JsonObject[]>): string {
  const table: JsonObject = Object.fromEntries(answers);
  return `// What ${webhook} answered while this was recorded: the answers to each request in turn, the last of them
// again and again. It allowed every other request.
const answers = ${literal(table, '')};

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
function literal(value: JsonValue | undefined, indent: string): string {
  const line = oneLine(value);
  if (indent !== '' && indent.length + line.length <= widest) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return block(
      '[',
      value.map((item: JsonValue) => literal(item, inner)),
      ']',
      indent,
    );
  if (!isJsonObject(value)) return line;
  const fields = Object.entries(value).map(([field, one]) => `${fieldName(field)}: ${literal(one, inner)}`);
  return block('{', fields, '}', indent);
}

const block = (open: string, parts: readonly string[], close: string, indent: string): string =>
  [open, ...parts.map((part) => `${indent}  ${part},`), `${indent}${close}`].join('\n');

function oneLine(value: JsonValue | undefined): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (!isJsonObject(value)) return typeof value === 'bigint' ? `${value}n` : JSON.stringify(value ?? null);
  const fields = Object.entries(value).map(([field, one]) => `${fieldName(field)}: ${oneLine(one)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const fieldName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quoted(name);

const quoted = (text: string): string => {
  const escaped = JSON.stringify(text);
  if (text.includes("'")) return escaped;
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"')}'`;
};
