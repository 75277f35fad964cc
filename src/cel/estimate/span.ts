/** The least and the most that a size or a cost can be; 64 bits without sign, which stay at the largest number. */
export interface Span {
  readonly min: bigint;
  readonly max: bigint;
}

export const largest = 2n ** 64n - 1n;

export const fixed = (value: bigint): Span => ({ min: value, max: value });
export const none: Span = fixed(0n);
export const one: Span = fixed(1n);
export const unknown: Span = { min: 0n, max: largest };

const capped = (value: bigint): bigint => (value > largest ? largest : value);

export const plus = (a: Span, b: Span): Span => ({ min: capped(a.min + b.min), max: capped(a.max + b.max) });
export const times = (a: Span, b: Span): Span => ({ min: capped(a.min * b.min), max: capped(a.max * b.max) });

/** Multiplied as doubles, as upstream does, and rounded up. */
export const scaled = ({ min, max }: Span, factor: number): Span => ({
  min: scaledUp(min, factor),
  max: scaledUp(max, factor),
});

function scaledUp(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? largest : BigInt(product);
}

export const union = (a: Span, b: Span): Span => ({
  min: a.min < b.min ? a.min : b.min,
  max: a.max > b.max ? a.max : b.max,
});

export const sum = (spans: readonly Span[]): Span => spans.reduce(plus, none);

export const perChar = 0.1;
export const perPatternChar = 0.25;
