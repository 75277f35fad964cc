/** Milliseconds as Go prints a time.Duration: `1.5s`, `812.25ms`, `1m2.003s`, `2h0m1s`. Follows go src/time/time.go. */
export function goDuration(milliseconds: number): string {
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
