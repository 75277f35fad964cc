import type { CallEstimate, CallSite } from './call-site.ts';
import { largest, perChar, plus, scaled, times } from './span.ts';
import type { Span } from './span.ts';

/** `text.replace(old, new)`: how often `old` can stand in it, and what is left. Follows apiserver pkg/cel/library/cost.go. */
export function estimateReplace({ target, args, size }: CallSite): CallEstimate | undefined {
  if (args.length < 2) return undefined;
  const text = size(target);
  const [replaced, replacement] = [size(args[0]), size(args[1])];
  const longest = count(text.max, replaced.min, replacement.max <= replaced.min);
  const shortest = count(text.min, replaced.max, replaced.max <= replacement.min);
  const counts: Span = { min: shortest.count, max: longest.count };
  const kept: Span = { min: shortest.kept, max: longest.kept };
  return { cost: scaled(text, 2 * perChar), size: plus(times(counts, replacement), kept) };
}

interface Count {
  readonly count: bigint;
  readonly kept: bigint;
}

/** An empty text stands around every character. */
function count(length: bigint, replaced: bigint, unchanged: boolean): Count {
  if (replaced === 0n) return { count: length < largest ? length + 1n : length, kept: length };
  if (unchanged) return { count: 0n, kept: length };
  return { count: BigInt.asUintN(64, BigInt(Math.ceil(Number(length) / Number(replaced)))), kept: 0n };
}
