import { YamlFault } from './cursor.ts';
import { createScan, isInFlow } from './scan-state.ts';
import type { Scan } from './scan-state.ts';
import { scanToken } from './scan-token.ts';

/**
 * Why a text may not be given to a reader that calls itself for each level; undefined when it may. A reader that goes on
 * behind an error must be kept from what stands there too.
 */
export function nestingFault(text: string, deepest: number): string | undefined {
  if (mostLevels(text) <= deepest) return undefined;
  const scan = createScan(text);
  try {
    while (scan.tokens.at(-1)?.type !== 'stream-end') {
      scan.tokens = [];
      scan.keyOfToken.clear();
      for (const _work of scanToken(scan));
      if (levels(scan) > deepest) return `it is nested deeper than ${deepest} levels`;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    return levels(scan) + mostLevels(text.slice(scan.at)) <= deepest ? undefined : error.message;
  }
}

const levels = (scan: Scan): number => scan.indents.length + (isInFlow(scan) ? scan.keys.length - 1 : 0);

/** No text has more levels than brackets, and columns before the first word of a line. */
function mostLevels(text: string): number {
  let brackets = 0;
  let widest = 0;
  for (const [match] of text.matchAll(/[[{]|^[ \-?:]+/gm)) {
    if (match === '[' || match === '{') brackets += 1;
    else widest = Math.max(widest, match.length);
  }
  return brackets + widest;
}
