import { asString } from '../../machinery/json/json.ts';
import type { PlaygroundAnswer } from '../../app/playground/protocol.ts';
import { indentOf, type ListItem, listItems } from './list-items.ts';

/** The steps with the outcome of each answer as its expectation; a step's own expectation stays. */
export function withExpectations(requests: string, answers: readonly PlaygroundAnswer[]): string {
  let text = requests;
  for (const item of listItems(requests).toReversed()) {
    const [answer, ...others] = answers.filter(({ from }) => from >= item.from && from < item.to);
    const keys = keysOf(requests.slice(item.from, item.to), item.indent);
    const mayExpect = keys.some((key) => writes.has(key)) && !keys.some((key) => expecting.has(key));
    if (answer !== undefined && others.length === 0 && mayExpect)
      text = withExpectation(text, item, expectationOf(answer));
  }
  return text;
}

const writes: ReadonlySet<string> = new Set([
  'create',
  'update',
  'apply',
  'patch',
  'delete',
  'deletecollection',
  'connect',
]);
const expecting: ReadonlySet<string> = new Set(['expect', 'allowed', 'denied']);

/** The keys of a step in block style; in flow style also those of mappings inside. */
function keysOf(step: string, indent: number): readonly string[] {
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
function expectationOf({ code, trace }: PlaygroundAnswer): string {
  if (code < 400) return 'admitted';
  const message = asString(trace?.response.status?.['message']);
  if (message === '') return `{ code: ${code} }`;
  const text = JSON.stringify(message);
  // A text between slashes would be a pattern.
  return `{ code: ${code}, message: ${message.startsWith('/') ? `{ contains: ${text} }` : text} }`;
}
