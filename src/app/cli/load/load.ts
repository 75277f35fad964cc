import { ConfigError } from '../../../adapters/config/config-error.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { trialObjects } from '../../../analysis/trials/trial-scenarios.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { putLoad } from '../../../testing/load/put-load.ts';
import type { LoadDocument } from '../../../testing/load/put-load.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/live-line.ts';
import { structured } from '../terminal/structured.ts';
import { loadFlags, loadHelp } from './load-options.ts';
import type { LoadOptions } from './load-options.ts';

/** `kadmit load MANIFEST…`: a mix of writes at a rate; exit code 1 when a threshold is not kept to. */
export async function load(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseFlags(loadFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(loadHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'load', parsed.problem);
  if (parsed.rest.length === 0) return usageError(io, 'load', 'of what? kadmit load pod.yaml --rate 50 --duration 30s');
  try {
    const objects = trialObjects(parsed.rest).map(({ object }) => object);
    const document = await shownLoad(objects, parsed.options);
    const { output } = parsed.options;
    io.out(output === 'text' ? loadText(document) : await structured(output, JSON.stringify(document, undefined, 2)));
    return document.thresholds.every(({ met }) => met) ? exitCodes.fine : exitCodes.failed;
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'load', error.message);
    throw error;
  }
}

/** Says meanwhile that it runs, and ends early when it is told to. */
async function shownLoad(objects: readonly JsonObject[], options: LoadOptions): Promise<LoadDocument> {
  const access = await readKubeconfig(options.kubeconfig);
  const line = createLiveLine(process.stderr);
  const interrupt = { asked: false };
  const stop = (): void => void (interrupt.asked = true);
  process.once('SIGINT', stop);
  const shown = setInterval(() => line.show(`${access.url}: requests are under way …`), 1000);
  try {
    return await putLoad(objects, access, options, () => interrupt.asked);
  } finally {
    clearInterval(shown);
    line.clear();
    process.off('SIGINT', stop);
  }
}

/** The same for people. */
function loadText({ sent, failed, rate, asked, all, byVerb, webhooks, errors, thresholds }: LoadDocument): string {
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
