/** Sorted, disjoint intervals of whole numbers: there may be many completion indexes. */
export type Intervals = readonly Interval[];

export interface Interval {
  readonly first: number;
  readonly last: number;
}

/** The union. Follows pkg/controller/job/indexed_job_utils.go merge. */
export function intervalUnion(a: Intervals, b: Intervals): Intervals {
  const merged: Interval[] = [];
  for (const next of [...a, ...b].sort((one, other) => one.first - other.first)) {
    const last = merged.at(-1);
    if (!last || next.first > last.last + 1) merged.push(next);
    else if (next.last > last.last) merged.splice(-1, 1, { first: last.first, last: next.last });
  }
  return merged;
}

export const toIntervals = (numbers: Iterable<number>): Intervals =>
  intervalUnion(
    [...numbers].map((number) => ({ first: number, last: number })),
    [],
  );

export const countIntervals = (intervals: Intervals): number =>
  intervals.reduce((sum, { first, last }) => sum + last - first + 1, 0);

export const includesNumber = (intervals: Intervals, number: number): boolean =>
  intervals.some(({ first, last }) => first <= number && number <= last);

/** The size of the intersection. */
export const overlap = (a: Intervals, b: Intervals): number =>
  a
    .flatMap((one) => b.map((other) => Math.min(one.last, other.last) - Math.max(one.first, other.first) + 1))
    .reduce((sum, count) => sum + Math.max(0, count), 0);

/** `0,1,3-5`: two neighbours are written separately. */
export const intervalsText = (intervals: Intervals): string =>
  intervals
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
    .join(',');

/** Numbers from `limit` on and unreadable parts are skipped. Follows parseIndexesFromString. */
export function parseIntervals(text: string, limit: number): Intervals {
  const parts = text.split(',').map((part) => /^(\d+)(?:-(\d+))?$/.exec(part));
  const read = parts.flatMap((part) => {
    const first = Number(part?.[1] ?? limit);
    const last = Math.min(Number(part?.[2] ?? first), limit - 1);
    return first < limit ? [{ first, last }] : [];
  });
  return intervalUnion(read, []);
}

/** The first `count` numbers below `limit` outside of the intervals. */
export function firstMissing(intervals: Intervals, count: number, limit: number): readonly number[] {
  const found: number[] = [];
  let next = 0;
  for (const { first, last } of [...intervals, { first: limit, last: limit }]) {
    for (; next < Math.min(first, limit) && found.length < count; next += 1) found.push(next);
    next = Math.max(next, last + 1);
  }
  return found;
}
