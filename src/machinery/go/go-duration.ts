/** Milliseconds as Go prints a time.Duration: `1.5s`, `812.25ms`, `1m2.003s`, `2h0m1s`. Follows go src/time/time.go. */
export function goDuration(milliseconds: number): string {
  if (milliseconds < 0) return `-${goDuration(-milliseconds)}`;
  const nanos = Math.round(milliseconds * 1e6);
  if (nanos === 0) return '0s';
  if (nanos < 1e3) return `${nanos}ns`;
  if (nanos < 1e6) return `${formatDecimals(nanos / 1e3, 3)}µs`;
  if (nanos < 1e9) return `${formatDecimals(nanos / 1e6, 6)}ms`;
  const minutes = Math.floor(nanos / 6e10);
  const seconds = `${formatDecimals((nanos - minutes * 6e10) / 1e9, 9)}s`;
  if (minutes < 60) return minutes === 0 ? seconds : `${minutes}m${seconds}`;
  return `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}

const formatDecimals = (value: number, decimals: number): string => String(Number(value.toFixed(decimals)));

const unitNanos: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

export type DurationReading =
  | { readonly outcome: 'read'; readonly nanoseconds: bigint }
  | { readonly outcome: 'wrong'; readonly error: string };

const int64Limit = 2n ** 63n;

/** The nanoseconds of `1h30m`, `1.5s`, `-2ms` or `0`, or Go's error. Follows go src/time/format.go ParseDuration. */
export function parseGoDuration(text: string): DurationReading {
  const wrong = (problem: string): DurationReading => ({ outcome: 'wrong', error: `time: ${problem}` });
  const invalid = `invalid duration ${quoteForTime(text)}`;
  const start = /^[+-]/.test(text) ? 1 : 0;
  if (text.slice(start) === '0') return { outcome: 'read', nanoseconds: 0n };
  if (text.length === start) return wrong(invalid);
  let total = 0n;
  for (let at = start; at < text.length;) {
    const piece = readPart(text, at);
    if (piece === undefined) return wrong(invalid);
    const { whole, fraction, unit, end } = piece;
    if (unit === '') return wrong(`missing unit in duration ${quoteForTime(text)}`);
    const size = unitNanos.get(unit);
    if (size === undefined) return wrong(`unknown unit ${quoteForTime(unit)} in duration ${quoteForTime(text)}`);
    total += whole * size + fractionNanos(fraction, size);
    if (total > int64Limit) return wrong(invalid);
    at = end;
  }
  const isNegative = text.startsWith('-');
  if (total === int64Limit && !isNegative) return wrong(invalid);
  return { outcome: 'read', nanoseconds: isNegative ? -total : total };
}

interface DurationPart {
  readonly whole: bigint;
  /** The digits behind the dot. */
  readonly fraction: string;
  readonly unit: string;
  readonly end: number;
}

const maxDigits = 19;

/** A number and its unit, up to the next digit or dot; undefined without a number, or for one beyond 64 bits. */
function readPart(text: string, at: number): DurationPart | undefined {
  const wholeEnd = skipWhile(text, at, isDigit);
  const fractionStart = text[wholeEnd] === '.' ? wholeEnd + 1 : wholeEnd;
  const fractionEnd = fractionStart > wholeEnd ? skipWhile(text, fractionStart, isDigit) : wholeEnd;
  if (wholeEnd === at && fractionEnd === fractionStart) return undefined;
  const digits = text.slice(at, wholeEnd).replace(/^0+/, '');
  if (digits.length > maxDigits) return undefined;
  const end = skipWhile(text, fractionEnd, (character) => character !== '.' && !isDigit(character));
  return {
    whole: BigInt(digits),
    fraction: text.slice(fractionStart, fractionEnd),
    unit: text.slice(fractionEnd, end),
    end,
  };
}

function skipWhile(text: string, start: number, belongs: (character: string) => boolean): number {
  let at = start;
  while (at < text.length && belongs(text.charAt(at))) at += 1;
  return at;
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** In floating point, as in Go; ignores digits beyond 64 bits. */
function fractionNanos(digits: string, size: bigint): bigint {
  const kept =
    BigInt(digits.slice(0, maxDigits)) < int64Limit ? digits.slice(0, maxDigits) : digits.slice(0, maxDigits - 1);
  return BigInt(Math.trunc(Number(kept) * (Number(size) / 10 ** kept.length)));
}

/** Package time has a quote of its own: bytes that are not ASCII as `\xc3`. Follows go src/time/format.go quote. */
const quoteForTime = (text: string): string =>
  `"${text
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll(/[^ -\u007f]/gu, (character) =>
      [...new TextEncoder().encode(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    )}"`;

/** The milliseconds of a duration; undefined if it is invalid. */
export function readGoDuration(text: string): number | undefined {
  const reading = parseGoDuration(text);
  return reading.outcome === 'read' ? Number(reading.nanoseconds) / 1e6 : undefined;
}

/** The error of an invalid duration. */
export function goDurationError(text: string): string | undefined {
  const reading = parseGoDuration(text);
  return reading.outcome === 'wrong' ? reading.error : undefined;
}
