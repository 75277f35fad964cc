/** The least and the most that a size or a cost can be; 64 bits without sign, which stay at the largest number. */
export interface CostRange {
  readonly min: bigint;
  readonly max: bigint;
}

export const largest = 2n ** 64n - 1n;

export const fixed = (value: bigint): CostRange => ({ min: value, max: value });
export const none: CostRange = fixed(0n);
export const one: CostRange = fixed(1n);
export const unknown: CostRange = { min: 0n, max: largest };

const capped = (value: bigint): bigint => (value > largest ? largest : value);

export const plus = (a: CostRange, b: CostRange): CostRange => ({
  min: capped(a.min + b.min),
  max: capped(a.max + b.max),
});
export const times = (a: CostRange, b: CostRange): CostRange => ({
  min: capped(a.min * b.min),
  max: capped(a.max * b.max),
});

/** Multiplied as doubles, as upstream does, and rounded up. */
export const scaled = ({ min, max }: CostRange, factor: number): CostRange => ({
  min: scaledUp(min, factor),
  max: scaledUp(max, factor),
});

function scaledUp(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? largest : BigInt(product);
}

export const costUnion = (a: CostRange, b: CostRange): CostRange => ({
  min: a.min < b.min ? a.min : b.min,
  max: a.max > b.max ? a.max : b.max,
});

export const sum = (spans: readonly CostRange[]): CostRange => spans.reduce(plus, none);

export const perChar = 0.1;
export const perPatternChar = 0.25;
