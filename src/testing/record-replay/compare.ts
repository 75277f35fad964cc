import { sameJson } from '../../machinery/json/json-equal.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { objectDiff } from '../../explain/trace/object-diff.ts';
import type { ReplyVerdict } from './judge.ts';

export interface VerdictDifference {
  readonly part: keyof ReplyVerdict;
  readonly lines: readonly { readonly sign: ' ' | '+' | '-'; readonly text: string }[];
}

const parts = ['outcome', 'error', 'status', 'patch', 'object', 'warnings', 'auditAnnotations'] as const;

export function compareJudgements(recorded: ReplyVerdict, now: ReplyVerdict): readonly VerdictDifference[] {
  return parts.flatMap((part): readonly VerdictDifference[] => {
    const [before, after]: readonly [JsonValue, JsonValue] = [recorded[part], now[part]];
    if (sameJson(before, after)) return [];
    return [{ part, lines: linesOf(part, before, after) }];
  });
}

function linesOf(part: keyof ReplyVerdict, before: JsonValue, after: JsonValue): VerdictDifference['lines'] {
  if (part === 'object' || part === 'status' || part === 'auditAnnotations') {
    return objectDiff(before ?? {}, after ?? {}).map(({ sign, text }) => ({ sign, text }));
  }
  const [was, is] = [textsOf(before), textsOf(after)];
  const [gone, added] = [without(was, is), without(is, was)];
  // The same items in another order differ as a whole.
  const [less, more] = gone.length + added.length === 0 ? [was, is] : [gone, added];
  return [...less.map((text) => ({ sign: '-' as const, text })), ...more.map((text) => ({ sign: '+' as const, text }))];
}

const without = (texts: readonly string[], others: readonly string[]): readonly string[] =>
  texts.filter((text) => !others.includes(text));

/** One text per item. */
const textsOf = (value: JsonValue): readonly string[] =>
  Array.isArray(value)
    ? (value as readonly JsonValue[]).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
    : [typeof value === 'string' ? value : JSON.stringify(value)].filter((text) => text !== '');
