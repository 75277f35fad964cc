type Reading = { readonly count: number } | { readonly problem: string };
type Interval = { readonly first: number; readonly last: number } | { readonly problem: string };

/** Follows kubernetes pkg/apis/batch/validation validateIndexesFormat. */
export function readIndexes(text: string, completions: number): Reading {
  let [count, previous] = [0, -1];
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = readInterval(part, completions);
    if ('problem' in interval) return interval;
    const { first, last } = interval;
    if (previous >= first) return { problem: notIncreasing(previous, first) };
    count += last - first + 1;
    previous = last;
  }
  return { count };
}

/** The first index in both. Follows validateFailedIndexesNotOverlapCompleted. */
export function sharedIndex(one: string, other: string, completions: number): number | undefined {
  const [left, right] = [one, other].map((text) =>
    text.split(',').flatMap((part) => {
      const interval = readInterval(part, completions);
      return 'problem' in interval ? [] : [interval];
    }),
  );
  let [at, against] = [0, 0];
  for (;;) {
    const [a, b] = [left?.[at], right?.[against]];
    if (!a || !b) return undefined;
    if (a.first <= b.last && b.first <= a.last) return Math.max(a.first, b.first);
    if (a.first <= b.first) at += 1;
    else against += 1;
  }
}

function readInterval(text: string, completions: number): Interval {
  const limits = text.split('-');
  if (limits.length > 2) {
    const rule = "the requirement that an index interval can have at most two parts separated by '-'";
    return { problem: `the fragment ${JSON.stringify(text)} violates ${rule}` };
  }
  for (const limit of limits) {
    const shown = JSON.stringify(limit);
    if (!/^[+-]?\d+$/.test(limit)) return { problem: `cannot convert string to integer for index: ${shown}` };
    if (Number(limit) >= completions) return { problem: `too large index: ${shown}` };
  }
  const [first = 0, last = first] = limits.map(Number);
  if (limits.length > 1 && first >= last) return { problem: notIncreasing(first, last) };
  return { first, last };
}

const notIncreasing = (previous: number, current: number): string =>
  `non-increasing order, previous: ${previous}, current: ${current}`;
