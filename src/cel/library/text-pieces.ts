import { timesInTurns } from '../../apimachinery/in-turns.ts';
import { searchText } from './text-search.ts';
import type { TextSearch } from './text-search.ts';

/** So many pieces are made before others are let in. */
const together = 2000;

interface Cutting<S> {
  readonly search: TextSearch;
  /** Where the next piece begins, and how many have been made. */
  at: number;
  cuts: number;
  readonly made: S;
}

/**
 * Cuts a text at its first `most` occurrences of `separator`, of '' between all characters: `take` gets some pieces, and
 * says whether it wants more; what is left comes last.
 */
export function cutText<S extends object>(
  text: string,
  { separator, most }: { readonly separator: string; readonly most: number },
  start: () => S,
  take: (made: S, pieces: readonly string[], cuts: number) => void,
): S {
  const begin = (): Cutting<S> => ({
    search: separator === '' ? betweenCharacters(text) : searchText(text, separator, 0),
    at: 0,
    cuts: 0,
    made: start(),
  });
  return timesInTurns(Infinity, begin, (cutting) => {
    const pieces: string[] = [];
    let found: number | undefined = -1;
    while (cutting.cuts < most && pieces.length < together) {
      found = cutting.search.next();
      if (found === undefined || found < 0) break;
      pieces.push(text.slice(cutting.at, found));
      cutting.at = found + separator.length;
      cutting.cuts += 1;
    }
    const isOver = cutting.cuts >= most || found === -1;
    if (isOver) pieces.push(text.slice(cutting.at));
    take(cutting.made, pieces, cutting.cuts);
    return !isOver;
  }).made;
}

/** Where each character but the first begins. */
function betweenCharacters(text: string): TextSearch {
  let at = 0;
  return {
    next: () => {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      return at < text.length ? at : -1;
    },
  };
}
