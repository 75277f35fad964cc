import type { LoadDocument } from '../../../testing/load/put-load.ts';

/** The same for people. */
export function loadText({
  sent,
  failed,
  rate,
  asked,
  all,
  byVerb,
  webhooks,
  errors,
  thresholds,
}: LoadDocument): string {
  const rows = [['all', all] as const, ...Object.entries(byVerb)].map(([name, { count, mean, p50, p95, p99, max }]) => [
    name,
    String(count),
    ...[mean, p50, p95, p99, max].map(ms),
  ]);
  const called = (webhooks ?? []).map(({ name, calls, rejected, mean, p50, p95, p99 }) => [
    name,
    String(calls),
    ...[mean, p50, p95, p99].map(ms),
    rejected === 0 ? '' : `${rejected} rejected`,
  ]);
  return [
    `${sent} requests of ${asked.requests} in ${(sent / (rate || 1)).toFixed(1)} s, ${rate} a second (asked for ${asked.rate}), ${failed} failed`,
    ...table([['', 'requests', 'mean', 'p50', 'p95', 'p99', 'max'], ...rows]),
    ...errors.map(
      ({ verb, code, count, message }) =>
        `  ${count} × ${verb} ${code === 0 ? 'without an answer' : code}: ${message.split('\n')[0] ?? ''}`,
    ),
    ...(webhooks === null ? ['the server shows no metrics to this user: nothing is known of its webhooks'] : []),
    ...(called.length > 0 ? table([['webhook', 'calls', 'mean', 'p50', 'p95', 'p99', ''], ...called]) : []),
    ...thresholds.map(({ threshold, met, value }) => `${met ? 'kept    ' : 'NOT KEPT'}  ${threshold}: ${value}`),
  ].join('\n');
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`.trimEnd(),
  );
}
