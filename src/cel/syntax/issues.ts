import { codePoints } from './code-points.ts';
import { type CelLocation, toLocation, noLocation, type Source } from './source-text.ts';

/** One error of the parser, the checker or a validator. */
export interface Issue {
  readonly location: CelLocation;
  readonly message: string;
}

/** Collects errors. Those after the first hundred are only counted. Follows cel-go common/errors.go. */
export interface Issues {
  readonly at: (location: CelLocation, message: string) => void;
  readonly atOffset: (offset: number | undefined, message: string) => void;
  readonly list: () => readonly Issue[];
}

const reportLimit = 100;

/** Replaces an issue beyond the reported ones. */
const counted: Issue = { location: noLocation, message: '' };

export function createIssues(source: Source): Issues {
  const issues: Issue[] = [];
  const at = (location: CelLocation, message: string): void => {
    issues.push(issues.length < reportLimit ? { location, message } : counted);
  };
  return {
    at,
    atOffset: (offset, message) => {
      const isPlaced = offset !== undefined && issues.length < reportLimit;
      at(isPlaced ? toLocation(source, offset) : { line: 1, column: 0 }, message);
    },
    list: () => issues,
  };
}

/** The errors as the API server prints them, in order of their place. Follows cel-go common/errors.go. */
export function issuesText(source: Source, issues: readonly Issue[]): string {
  const reported = issues.slice(0, reportLimit);
  const sorted = reported.toSorted(
    (a, b) => a.location.line - b.location.line || a.location.column - b.location.column,
  );
  const shown: string[] = [];
  let length = 0;
  for (const issue of sorted) {
    if (length > maxTextLength) break;
    const text = issueText(source, issue);
    shown.push(text);
    length += text.length;
  }
  const hidden = issues.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`${hidden} more errors were truncated`] : [])].join('\n');
}

/** Each error repeats its whole line, as upstream's does: a hundred in a line of 100,000 make 20 MB. */
const maxTextLength = 256 * 1024;

/** `ERROR: <input>:1:8: …`, the line and a caret below it; wide characters get wide dots. Follows cel-go common/error.go. */
function issueText(source: Source, { location, message }: Issue): string {
  const head = `ERROR: <input>:${location.line}:${location.column + 1}: ${message}`;
  const line = source.lines[location.line - 1];
  if (line === undefined) return head;
  const shown = line.replaceAll('\t', ' ');
  if (!isAnyWide.test(line)) return `${head}\n | ${shown}\n | ${'.'.repeat(location.column)}^`;
  const chars = codePoints(shown);
  const dots = chars.slice(0, location.column).map((char) => (isWide(char) ? '．' : '.'));
  const caret = isWide(chars[location.column] ?? '') ? '＾' : '^';
  return `${head}\n | ${shown}\n | ${dots.join('')}${caret}`;
}

const isAnyWide = /[^\0-\x7f]/;

const isWide = (char: string): boolean => (char.codePointAt(0) ?? 0) > 0x7f;

/** Ends the generated parser and the tree's builder at a limit; `parse` catches it. */
export class ParserGaveUp extends Error {}

export const recursionLimit = 250;

export const tooDeeplyNested = `expression recursion limit exceeded: ${recursionLimit}`;
