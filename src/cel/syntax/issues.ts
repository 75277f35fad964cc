import { codePoints } from './code-points.ts';
import { locationOf } from './source.ts';
import type { Location, Source } from './source.ts';

/** One complaint of the parser, the checker or a validator. */
export interface Issue {
  readonly location: Location;
  readonly message: string;
}

/** Collects complaints; each is reported once for the same place and text. */
export interface Issues {
  readonly at: (location: Location, message: string) => void;
  readonly atOffset: (offset: number | undefined, message: string) => void;
  readonly list: () => readonly Issue[];
}

export function createIssues(source: Source): Issues {
  const issues: Issue[] = [];
  const at = (location: Location, message: string): void => {
    issues.push({ location, message });
  };
  return {
    at,
    atOffset: (offset, message) =>
      at(offset === undefined ? { line: 1, column: 0 } : locationOf(source, offset), message),
    list: () => issues,
  };
}

const reportLimit = 100;

/** The complaints as the API server prints them, in order of their place. Follows cel-go common/errors.go. */
export function issuesText(source: Source, issues: readonly Issue[]): string {
  const sorted = issues.toSorted((a, b) => a.location.line - b.location.line || a.location.column - b.location.column);
  const shown = sorted.slice(0, reportLimit).map((issue) => issueText(source, issue));
  const hidden = sorted.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`${hidden} more errors were truncated`] : [])].join('\n');
}

/** `ERROR: <input>:1:8: …`, the line and a caret below it; wide characters get wide dots. Follows cel-go common/error.go. */
function issueText(source: Source, { location, message }: Issue): string {
  const head = `ERROR: <input>:${location.line}:${location.column + 1}: ${message}`;
  const line = source.lines[location.line - 1];
  if (line === undefined) return head;
  const shown = line.replaceAll('\t', ' ');
  const chars = codePoints(shown);
  const dots = chars.slice(0, location.column).map((char) => (isWide(char) ? '．' : '.'));
  const caret = isWide(chars[location.column] ?? '') ? '＾' : '^';
  return `${head}\n | ${shown}\n | ${dots.join('')}${caret}`;
}

const isWide = (char: string): boolean => (char.codePointAt(0) ?? 0) > 0x7f;
