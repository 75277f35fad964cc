import type { Splitter } from './splitter.ts';

const quote = 34;
const backslash = 92;
const openers: ReadonlySet<number> = new Set([91, 123]);
const closers: ReadonlySet<number> = new Set([93, 125]);

/**
 * JSON objects that follow each other, on one line each or printed over many: where one ends is seen by its brackets; whoever reads
 * it says what else is wrong.
 */
export function createJsonValues(): Splitter {
  let text = '';
  let depth = 0;
  let isQuoted = false;
  let isEscaped = false;
  const see = (code: number): boolean => {
    if (isQuoted) {
      if (isEscaped) isEscaped = false;
      else if (code === backslash) isEscaped = true;
      else if (code === quote) isQuoted = false;
      return false;
    }
    if (code === quote) isQuoted = true;
    else if (openers.has(code)) depth += 1;
    else if (closers.has(code)) depth -= 1;
    return depth <= 0 && closers.has(code);
  };
  return {
    push: (piece) => {
      const ended: string[] = [];
      let start = 0;
      for (let at = 0; at < piece.length; at += 1) {
        if (!see(piece.charCodeAt(at))) continue;
        ended.push(text + piece.slice(start, at + 1));
        text = '';
        depth = 0;
        start = at + 1;
      }
      text += piece.slice(start);
      return ended;
    },
    size: () => text.length,
    rest: () => text,
  };
}
