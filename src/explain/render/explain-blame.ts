import { bigintAsText } from '../../machinery/json/json-writer.ts';
import { blameOf, type FieldBlame, writerText } from '../trace/field-blame.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import type { Trace } from '../trace/trace.ts';

/** Fields that webhooks set more than once or removed. */
export function contestedLines(trace: Trace): readonly string[] {
  const contested = blameOf(trace).filter(isContested);
  return contested.length === 0 ? [] : ['', 'Fields set more than once', ...contested.flatMap(fieldLines)];
}

/** Every field and its last writer. */
export function blameLines(trace: Trace): readonly string[] {
  const all = blameOf(trace);
  return all.length === 0 ? ['', 'Fields: there is no object'] : ['', 'Fields', ...all.flatMap(fieldLines)];
}

const isContested = ({ by, previous }: FieldBlame): boolean =>
  [by, ...previous.map((one) => one.by)].some(({ type }) => type === 'webhook') &&
  previous.some((one) => one.by.type !== 'server');

function fieldLines({ path, value, by, previous }: FieldBlame): readonly string[] {
  const now = value === undefined ? 'removed' : shown(value);
  return [
    `  ${path}: ${now}  by ${writerText(by)}`,
    ...previous
      .toReversed()
      .map((one) => `    before: ${one.value === undefined ? 'removed' : shown(one.value)}  by ${writerText(one.by)}`),
  ];
}

const longest = 80;

function shown(value: JsonValue): string {
  const text = JSON.stringify(value, bigintAsText);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
