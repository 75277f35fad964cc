import { groupBy } from '../lists.ts';
import { escapeForGo, writeJson } from '../json/json-writer.ts';
import { isJsonObject, isList, type JsonValue } from '../json/json.ts';

/** Longer texts are not compared: it takes time with the square of their length. */
const maxLines = 5000;

/**
 * How two values differ, as upstream appends it to its errors: a unified diff of both as JSON with one space a level and
 * three lines around each change. '' when they are the same or too long. Follows apimachinery pkg/util/diff/diff.go.
 */
export function unifiedDiff(before: JsonValue, after: JsonValue): string {
  if (countLines(before, maxLines) > maxLines || countLines(after, maxLines) > maxLines) return '';
  const [a, b] = [toLines(before), toLines(after)];
  return groupOpCodes(toOpCodes(matchingBlocks(a, b), a.length, b.length))
    .map((hunk) => formatHunk(hunk, a, b))
    .join('');
}

/** How many lines a value takes; a long text or name counts as several. Stops above `max`. */
function countLines(value: JsonValue, max: number): number {
  if (isList(value)) return countPartLines(value, max, countLines);
  if (!isJsonObject(value)) return 1 + (typeof value === 'string' ? extraLines(value) : 0);
  return countPartLines(Object.keys(value), max, (name, rest) => {
    const inner = value[name];
    return inner === undefined ? 0 : extraLines(name) + countLines(inner, rest);
  });
}

const lineLength = 100;

const extraLines = (text: string): number => Math.floor(text.length / lineLength);

function countPartLines<Part>(
  parts: readonly Part[],
  max: number,
  linesOfPart: (part: Part, rest: number) => number,
): number {
  if (parts.length > max) return parts.length;
  let lines = 2;
  for (const part of parts) {
    lines += linesOfPart(part, max - lines);
    if (lines > max) break;
  }
  return lines === 2 ? 1 : lines;
}

const toLines = (value: JsonValue): readonly string[] =>
  escapeForGo(JSON.stringify(JSON.parse(writeJson(value)), undefined, 1)).split('\n');

interface MatchingBlock {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** The longest common runs of lines, and what is before and after each. Follows github.com/pmezard/go-difflib. */
function matchingBlocks(a: readonly string[], b: readonly string[]): readonly MatchingBlock[] {
  const indexes = indexLines(b);
  const blocks: MatchingBlock[] = [];
  const pending = [{ fromA: 0, toA: a.length, fromB: 0, toB: b.length }];
  for (let part = pending.pop(); part; part = pending.pop()) {
    const match = findLongestMatch(a, b, indexes, part);
    if (match.size === 0) continue;
    blocks.push(match);
    pending.push({ ...part, toA: match.a, toB: match.b });
    pending.push({ ...part, fromA: match.a + match.size, fromB: match.b + match.size });
  }
  return blocks.toSorted((first, second) => first.a - second.a);
}

/** The positions of each line; leaves out lines that make up more than a hundredth of a long text. */
function indexLines(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const indexes = groupBy(lines.keys(), (at) => lines[at] ?? '');
  if (lines.length < 200) return indexes;
  const max = Math.floor(lines.length / 100) + 1;
  return new Map([...indexes].filter(([, at]) => at.length <= max));
}

interface LineRange {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

function findLongestMatch(
  a: readonly string[],
  b: readonly string[],
  indexes: ReadonlyMap<string, readonly number[]>,
  part: LineRange,
): MatchingBlock {
  let best: MatchingBlock = { a: part.fromA, b: part.fromB, size: 0 };
  let lengths = new Map<number, number>();
  for (let at = part.fromA; at < part.toA; at += 1) {
    const next = new Map<number, number>();
    for (const index of indexes.get(a[at] ?? '') ?? []) {
      if (index < part.fromB || index >= part.toB) continue;
      const size = (lengths.get(index - 1) ?? 0) + 1;
      next.set(index, size);
      if (size > best.size) best = { a: at - size + 1, b: index - size + 1, size };
    }
    lengths = next;
  }
  return extendMatch(a, b, best, part);
}

/** The match, extended by equal frequent lines before and after it. */
function extendMatch(a: readonly string[], b: readonly string[], match: MatchingBlock, part: LineRange): MatchingBlock {
  let [before, after] = [0, match.size];
  const same = (by: number): boolean => a[match.a + by] === b[match.b + by];
  while (match.a - before > part.fromA && match.b - before > part.fromB && same(-before - 1)) before += 1;
  while (match.a + after < part.toA && match.b + after < part.toB && same(after)) after += 1;
  return { a: match.a - before, b: match.b - before, size: before + after };
}

/** A run of lines: the same in both, or not. */
interface OpCode extends LineRange {
  readonly equal: boolean;
}

function toOpCodes(matches: readonly MatchingBlock[], lengthA: number, lengthB: number): readonly OpCode[] {
  const changes: OpCode[] = [];
  let [a, b] = [0, 0];
  for (const match of [...matches, { a: lengthA, b: lengthB, size: 0 }]) {
    if (a < match.a || b < match.b) changes.push({ equal: false, fromA: a, toA: match.a, fromB: b, toB: match.b });
    [a, b] = [match.a + match.size, match.b + match.size];
    const last = changes.at(-1);
    const same = { equal: true, fromA: match.a, toA: a, fromB: match.b, toB: b };
    if (match.size > 0 && last?.equal) changes.splice(-1, 1, { ...same, fromA: last.fromA, fromB: last.fromB });
    else if (match.size > 0) changes.push(same);
  }
  return changes;
}

const context = 3;

/** Changes that lie close to one another, with the lines around them. */
function groupOpCodes(changes: readonly OpCode[]): readonly (readonly OpCode[])[] {
  const groups: OpCode[][] = [];
  let open: OpCode[] | undefined;
  changes.forEach((change, index) => {
    if (!change.equal) {
      (open ??= contextBefore(changes[index - 1])).push(change);
    } else if (open) {
      const isLast = index === changes.length - 1;
      if (isLast || change.toA - change.fromA > 2 * context) {
        groups.push([...open, contextAfter(change)]);
        open = undefined;
      } else open.push(change);
    }
  });
  return open ? [...groups, open] : groups;
}

const contextBefore = (change: OpCode | undefined): OpCode[] =>
  change === undefined
    ? []
    : [
        {
          ...change,
          fromA: Math.max(change.fromA, change.toA - context),
          fromB: Math.max(change.fromB, change.toB - context),
        },
      ];

const contextAfter = (change: OpCode): OpCode => ({
  ...change,
  toA: Math.min(change.toA, change.fromA + context),
  toB: Math.min(change.toB, change.fromB + context),
});

function formatHunk(hunk: readonly OpCode[], a: readonly string[], b: readonly string[]): string {
  const [start, end] = [hunk[0], hunk.at(-1)];
  if (!start || !end) return '';
  const lines = hunk.flatMap(({ equal, fromA, toA, fromB, toB }) =>
    equal
      ? a.slice(fromA, toA).map((line) => ` ${line}\n`)
      : [...a.slice(fromA, toA).map((line) => `-${line}\n`), ...b.slice(fromB, toB).map((line) => `+${line}\n`)],
  );
  return `@@ -${formatRange(start.fromA, end.toA)} +${formatRange(start.fromB, end.toB)} @@\n${lines.join('')}`;
}

/** Lines count from one; an empty range begins at the line before it. */
function formatRange(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}
