import { goQuote } from './field-error.ts';

/** Milliseconds as Go prints a time.Duration: `1.5s`, `812.25ms`, `1m2.003s`, `2h0m1s`. Follows go src/time/time.go. */
export function goDuration(milliseconds: number): string {
  if (milliseconds < 0) return `-${goDuration(-milliseconds)}`;
  const nanos = Math.round(milliseconds * 1e6);
  if (nanos === 0) return '0s';
  if (nanos < 1e3) return `${nanos}ns`;
  if (nanos < 1e6) return `${trimmed(nanos / 1e3, 3)}µs`;
  if (nanos < 1e9) return `${trimmed(nanos / 1e6, 6)}ms`;
  const minutes = Math.floor(nanos / 6e10);
  const seconds = `${trimmed((nanos - minutes * 6e10) / 1e9, 9)}s`;
  if (minutes < 60) return minutes === 0 ? seconds : `${minutes}m${seconds}`;
  return `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}

const trimmed = (value: number, decimals: number): string => String(Number(value.toFixed(decimals)));

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** What is longer says more than a duration can hold. */
const longest = 100;

/** The milliseconds of `1h30m`, `1.5s`, `-2ms` or `0`; undefined for what is none. Follows go src/time/format.go ParseDuration. */
export function readGoDuration(text: string): number | undefined {
  if (text.length > longest) return undefined;
  if (!/^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+)$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)([a-zµ]+)/g)];
  const total = parts.reduce((sum, [, number = '0', unit = 's']) => sum + Number(number) * (unitMs[unit] ?? 0), 0);
  return text.startsWith('-') ? -total : total;
}

/** Why a text is no duration, as Go words it. Follows go src/time/format.go ParseDuration. */
export function goDurationFault(text: string): string | undefined {
  if (readGoDuration(text) !== undefined) return undefined;
  const parts = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))*(?:\d+(?:\.\d*)?|\.\d+)([^\d.]*)/;
  const unit = parts.exec(text.slice(0, longest))?.[1];
  if (unit === undefined) return `time: invalid duration ${goQuote(text)}`;
  return unit === ''
    ? `time: missing unit in duration ${goQuote(text)}`
    : `time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`;
}
