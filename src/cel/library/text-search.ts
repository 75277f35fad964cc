import { timesInTurns } from '../../apimachinery/in-turns.ts';

/** Looks for the occurrences of a part in a text, a stretch at a time. */
export interface TextSearch {
  /** Where the next one begins, after the end of the last; -1: there is none; undefined: not in this stretch, ask again. */
  readonly next: () => number | undefined;
}

/** Native search is fast, and quadratic where a text is made for it: it gets so much of a text that this does not matter. */
const mostCompared = 2_000_000;
const longestPart = 64;
/** Characters that are looked at one by one before others are let in. */
const stretch = 128 * 1024;

/** From `from` on, in linear time whatever the two are. `part` is not empty. */
export const searchText = (text: string, part: string, from: number): TextSearch =>
  part.length <= longestPart ? searchNatively(text, part, from) : searchSlowly(forwards(text, part), from);

/** Where the part begins first, at `from` or after it; -1 for nowhere. */
export const firstIndexOf = (text: string, part: string, from: number): number =>
  firstOf(() => searchText(text, part, from));

/** Where the part begins last, at `from` or before it; -1 for nowhere. */
export function lastIndexBefore(text: string, part: string, from: number): number {
  const begin = Math.min(from, text.length - part.length);
  if (begin < 0) return -1;
  if (part.length <= longestPart) return firstOf(() => searchNativelyBack(text, part, begin));
  const found = firstOf(() => searchSlowly(backwards(text, part), text.length - part.length - begin));
  return found < 0 ? -1 : text.length - part.length - found;
}

interface First {
  readonly search: TextSearch;
  found: number;
}

function firstOf(begin: () => TextSearch): number {
  const start = (): First => ({ search: begin(), found: -1 });
  return timesInTurns(Infinity, start, (first) => {
    const found = first.search.next();
    first.found = found ?? -1;
    return found === undefined;
  }).found;
}

function searchNatively(text: string, part: string, from: number): TextSearch {
  const size = Math.floor(mostCompared / part.length);
  let at = from;
  const next = (): number | undefined => {
    const whole = text.length - at <= size;
    const found = whole ? text.indexOf(part, at) : text.slice(at, at + size + part.length - 1).indexOf(part);
    if (found < 0) {
      at += size;
      return whole ? -1 : undefined;
    }
    const place = whole ? found : at + found;
    at = place + part.length;
    return place;
  };
  return { next };
}

function searchNativelyBack(text: string, part: string, from: number): TextSearch {
  const size = Math.floor(mostCompared / part.length);
  let at = from;
  const next = (): number | undefined => {
    const begin = Math.max(0, at - size);
    const found = text.slice(begin, at + part.length).lastIndexOf(part);
    if (found >= 0) return begin + found;
    at = begin - 1;
    return begin === 0 ? -1 : undefined;
  };
  return { next };
}

/** Two texts by their units, in one direction or the other. */
interface Units {
  readonly length: number;
  readonly partLength: number;
  readonly unit: (at: number) => number;
  readonly partUnit: (at: number) => number;
}

const forwards = (text: string, part: string): Units => ({
  length: text.length,
  partLength: part.length,
  unit: (at) => text.charCodeAt(at),
  partUnit: (at) => part.charCodeAt(at),
});

const backwards = (text: string, part: string): Units => ({
  length: text.length,
  partLength: part.length,
  unit: (at) => text.charCodeAt(text.length - 1 - at),
  partUnit: (at) => part.charCodeAt(part.length - 1 - at),
});

/** By Knuth, Morris and Pratt: how much of the part still fits is known from the part alone. */
function searchSlowly({ length, partLength, unit, partUnit }: Units, from: number): TextSearch {
  if (partLength > length - from) return { next: () => -1 };
  const fits = new Int32Array(partLength);
  let known = 1;
  let fitting = 0;
  let at = from;
  const learn = (): undefined => {
    for (const end = Math.min(partLength, known + stretch); known < end; known += 1) {
      while (fitting > 0 && partUnit(known) !== partUnit(fitting)) fitting = fits[fitting - 1] ?? 0;
      if (partUnit(known) === partUnit(fitting)) fitting += 1;
      fits[known] = fitting;
    }
    if (known === partLength) fitting = 0;
  };
  const next = (): number | undefined => {
    if (known < partLength) return learn();
    for (const end = Math.min(length, at + stretch); at < end; at += 1) {
      while (fitting > 0 && unit(at) !== partUnit(fitting)) fitting = fits[fitting - 1] ?? 0;
      if (unit(at) === partUnit(fitting)) fitting += 1;
      if (fitting < partLength) continue;
      fitting = 0;
      at += 1;
      return at - partLength;
    }
    return at < length ? undefined : -1;
  };
  return { next };
}
