import { YamlFault } from './cursor.ts';
import type { Work } from './cursor.ts';
import { add, createScan, isStillPossible, isUndecided } from './scan-state.ts';
import type { Scan } from './scan-state.ts';
import { scanToken } from './scan-token.ts';
import type { Token } from './token.ts';

/** The tokens of a text, one after the other. */
export interface Scanner {
  /** Scans on until what one event needs is there; it yields at times. */
  readonly prepare: () => Work<void>;
  /** The next token. Throws a YamlFault where the text cannot be read. */
  readonly peek: () => Token;
  readonly next: () => void;
}

/** Follows goyaml.v2 scannerc.go: its limits (10000 levels, keys of 1024 characters) and the texts of its errors. */
export function createScanner(text: string): Scanner {
  const scan = createScan(text);
  return {
    prepare: function* () {
      while (!isAhead(scan)) yield* scanOn(scan);
    },
    peek: () => {
      for (;;) {
        const first = scan.tokens[scan.head];
        if (first?.type === 'fault') throw first.fault;
        if (first && !mayBeKey(scan, scan.taken)) return first;
        for (const _work of scanOn(scan));
      }
    },
    next: () => {
      scan.head += 1;
      scan.taken += 1;
      if (scan.head < scan.tokens.length && scan.head < 1000) return;
      scan.tokens = scan.tokens.slice(scan.head);
      scan.head = 0;
    },
  };
}

/** A fault is a token too, so that it is met in its turn. */
function* scanOn(scan: Scan): Work<void> {
  try {
    yield* scanToken(scan);
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    add(scan, { type: 'fault', fault: error, line: scan.line });
  }
}

/** A token may still turn out to be the beginning of a key; a fault that comes before that is known is the key's. */
function mayBeKey(scan: Scan, token: number): boolean {
  const last = scan.tokens.at(-1);
  if (!isStillPossible(scan, scan.keyOfToken.get(token))) return false;
  if (last?.type === 'fault') throw last.fault;
  return last?.type !== 'stream-end';
}

/** No event takes more tokens than these. */
const enough = 8;

function isAhead(scan: Scan): boolean {
  const last = scan.tokens.at(-1)?.type;
  if (last === 'fault' || last === 'stream-end') return true;
  if (scan.tokens.length - scan.head < enough) return false;
  for (let ahead = 0; ahead < enough; ahead += 1) if (isUndecided(scan, scan.taken + ahead)) return false;
  return true;
}
