import type { PlaygroundAnswer, PlaygroundTexts } from '../../app/playground/protocol.ts';
import { indentOf, isBlank, isComment, listItems, type ListItem } from './list-items.ts';
import { asString } from '../../machinery/json/json.ts';

/** One scenario.yaml with everything inline; comments stay. `answers`: what its steps shall expect. */
export function toScenario(texts: PlaygroundTexts, answers: readonly PlaygroundAnswer[]): string {
  const { release, objects, webhooks, requests } = texts;
  const documents = splitDocuments(objects);
  return [
    'name: from the playground',
    `server: { kubernetesVersion: '${release}'${hasRoles(objects) ? ', authorizationMode: RBAC' : ''} }`,
    ...(documents.length === 0 ? [] : ['load:', ...documents.map(toListItem)]),
    ...(hasContent(webhooks) ? ['webhooks:', indent(webhooks)] : []),
    'steps:',
    indent(withExpectations(requests, answers)),
    '',
  ].join('\n');
}

/** The same tabs, whatever the releases. */
export const hasSameContent = (a: PlaygroundTexts, b: PlaygroundTexts): boolean =>
  a.objects === b.objects && a.webhooks === b.webhooks && a.requests === b.requests;

/** Objects of RBAC decide where there are some, as in read-texts.ts. */
const hasRoles = (objects: string): boolean =>
  objects
    .split('\n')
    .some((line) => isContent(line) && /\bapiVersion: *["']?rbac\.authorization\.k8s\.io\//.test(line));

/** The documents of a stream, without empty ones. */
export const splitDocuments = (text: string): readonly string[] => text.split(/^---(?=\s|$).*$/m).filter(hasContent);

const hasContent = (text: string): boolean => text.split('\n').some(isContent);

const isContent = (line: string): boolean => !isBlank(line) && !isComment(line);

const indent = (text: string): string =>
  trimLines(text)
    .map((line) => (isBlank(line) ? '' : `  ${line}`))
    .join('\n');

/** Without blank lines at both ends. */
function trimLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const first = lines.findIndex((line) => !isBlank(line));
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

/** The dash stands before the first line that is no comment. */
function toListItem(document: string): string {
  const lines = trimLines(document);
  const first = lines.findIndex(isContent);
  const indent = indentOf(lines[first] ?? '');
  return lines
    .map((line, at) => {
      if (isBlank(line)) return '';
      if (at < first) return `  ${line.trimStart()}`;
      return `${at === first ? '  - ' : '    '}${line.slice(Math.min(indent, indentOf(line)))}`;
    })
    .join('\n');
}

export interface ScenarioParts {
  readonly title: string;
  readonly about: string;
  readonly texts: PlaygroundTexts;
}

/** Takes a scenario of the playground apart; `otherwise` is the release of a file that names none. */
export function fromScenario(file: string, otherwise: string): ScenarioParts {
  const lines = file.split('\n');
  const blocks = parseBlocks(lines);
  const block = (key: string): readonly string[] => blocks.get(key) ?? [];
  const comment = (key: string): string =>
    lines
      .find((line) => line.startsWith(`# ${key}: `))
      ?.slice(key.length + 4)
      .trim() ?? '';
  const release = /kubernetesVersion:\s*['"]?v?(1\.\d+)/.exec(block('server').join('\n'))?.[1] ?? otherwise;
  return {
    title: comment('title'),
    about: comment('about'),
    texts: {
      release,
      compareWith: comment('compare with'),
      objects: toDocuments(block('load')),
      webhooks: dedent(block('webhooks')),
      requests: dedent(block('steps')),
    },
  };
}

/** The lines of each top-level key, with the line of the key first. */
function parseBlocks(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of lines) {
    const key = /^([A-Za-z]\w*):/.exec(line)?.[1];
    if (key !== undefined) blocks.set(key, (current = [line.slice(key.length + 1)]));
    else current?.push(line);
  }
  return blocks;
}

function dedent([, ...lines]: readonly string[]): string {
  const trimmed = trimLines(lines.join('\n'));
  const min = Math.min(...trimmed.filter(isContent).map(indentOf));
  const text = trimmed.map((line) => line.slice(Math.min(min, indentOf(line)))).join('\n');
  return text === '' ? '' : `${text}\n`;
}

/** A list of objects as a stream of documents. */
function toDocuments(block: readonly string[]): string {
  const list = dedent(block);
  const items = listItems(list);
  if (items.length === 0) return list;
  const documents = items.map(({ from, to }, at) => {
    const comments = list.slice(items[at - 1]?.to ?? 0, from);
    const [first = '', ...rest] = list.slice(from + 1, to).split('\n');
    const lines = [` ${first}`, ...rest].filter((line, index) => index > 0 || !isBlank(line));
    return trimLines(comments + dedent(['', ...lines])).join('\n');
  });
  return `${documents.join('\n---\n')}\n`;
}

/** The steps with the outcome of each answer as its expectation; a step's own expectation stays. */
export function withExpectations(requests: string, answers: readonly PlaygroundAnswer[]): string {
  let text = requests;
  for (const item of listItems(requests).toReversed()) {
    const [answer, ...others] = answers.filter(({ from }) => from >= item.from && from < item.to);
    const keys = stepKeys(requests.slice(item.from, item.to), item.indent);
    const mayExpect = keys.some((key) => writeStepKeys.has(key)) && !keys.some((key) => expectationKeys.has(key));
    if (answer !== undefined && others.length === 0 && mayExpect)
      text = withExpectation(text, item, renderExpectation(answer));
  }
  return text;
}

const writeStepKeys: ReadonlySet<string> = new Set([
  'create',
  'update',
  'apply',
  'patch',
  'delete',
  'deletecollection',
  'connect',
]);
const expectationKeys: ReadonlySet<string> = new Set(['expect', 'allowed', 'denied']);

/** The keys of a step in block style; in flow style also those of mappings inside. */
function stepKeys(step: string, indent: number): readonly string[] {
  if (/^- *\{/.test(step)) return [...step.matchAll(/[{,]\s*(\w+) *:/g)].map(([, key = '']) => key);
  const lines = ` ${step.slice(1)}`.split('\n').map((line, at) => (at === 0 ? `${' '.repeat(indent)}${line}` : line));
  const first = lines.find((line) => line.trim() !== '' && !line.trimStart().startsWith('#')) ?? '';
  return lines
    .filter((line) => indentOf(line) === indentOf(first))
    .flatMap((line) => /^(\w+) *:/.exec(line.trimStart())?.[1] ?? []);
}

function withExpectation(text: string, { from, to, indent }: ListItem, expectation: string): string {
  const isFlow = /^- *\{[^]*\}$/.test(text.slice(from, to));
  const end = isFlow ? to - 1 : to;
  const added = isFlow ? `, expect: ${expectation} ` : `\n${' '.repeat(indent + 2)}expect: ${expectation}`;
  return text.slice(0, end).trimEnd() + added + text.slice(end);
}

/** `admitted`, or the code and the message of the refusal. */
function renderExpectation({ code, trace }: PlaygroundAnswer): string {
  if (code < 400) return 'admitted';
  const message = asString(trace?.response.status?.['message']);
  if (message === '') return `{ code: ${code} }`;
  const text = JSON.stringify(message);
  // A text between slashes would be a pattern.
  return `{ code: ${code}, message: ${message.startsWith('/') ? `{ contains: ${text} }` : text} }`;
}
