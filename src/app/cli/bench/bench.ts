import { ConfigError } from '../../../adapters/config/config-error.ts';
import {
  kubeconfigFlag,
  manifestsFlag,
  outputFlag,
  readPeriod,
  switchFlag,
} from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagReading } from '../../../adapters/config/flags/flags.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { trialObjects } from '../../../analysis/trials/trial-scenarios.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { type Mix, readMix } from '../../../testing/load/run-load.ts';
import { type BenchDocument, type LoadOptions, runServerLoad } from '../../../testing/load/put-load.ts';
import { readThreshold, type Threshold } from '../../../testing/load/threshold.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, printDocument } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/terminal.ts';

const positiveNumberFlag = (
  name: string,
  argument: string,
  help: string,
  { fallback, maximum }: { fallback: number; maximum: number },
): Flag<number> => ({
  name,
  argument,
  help,
  fallback,
  read: (texts): FlagReading<number> => {
    const value = Number(texts.at(-1));
    if (/^\d+(?:\.\d+)?$/.test(texts.at(-1) ?? '') && value > 0 && value <= maximum) return { outcome: 'read', value };
    return { outcome: 'wrong', problem: `is not a number above 0 and up to ${maximum}` };
  },
});

const wholeNumberFlag = (flag: Flag<number>): Flag<number> => ({
  ...flag,
  read: (texts) => {
    const reading = flag.read(texts);
    return reading.outcome === 'read' && !Number.isInteger(reading.value)
      ? { outcome: 'wrong', problem: 'must be an integer' }
      : reading;
  },
});

const mixFlag: Flag<Mix> = {
  name: 'mix',
  argument: 'SHARES',
  help: 'share of each verb; updates, patches and deletes are for objects that it has created (default create=2,update=1,patch=1,delete=1)',
  fallback: { create: 2, update: 1, patch: 1, delete: 1 },
  shownFallback: '',
  read: (texts) => {
    const reading = readMix(texts.at(-1) ?? '');
    return reading.outcome === 'read' ? { outcome: 'read', value: reading.mix } : reading;
  },
};

const thresholdFlag: Flag<readonly Threshold[]> = {
  name: 'threshold',
  argument: 'LIMIT',
  help: 'exit code 1 if this is not met: p99<200ms, create.p95<50ms, webhook:NAME.p99<100ms, errors<1%, rate>90%; repeatable',
  fallback: [],
  shownFallback: '',
  read: (texts) => {
    const readings = texts.flatMap((text) => text.split(',')).map(readThreshold);
    const wrong = readings.find((reading) => reading.outcome === 'wrong');
    if (wrong?.outcome === 'wrong') return wrong;
    return {
      outcome: 'read',
      value: readings.flatMap((reading) => (reading.outcome === 'read' ? [reading.threshold] : [])),
    };
  },
};

const flags = {
  files: manifestsFlag('file or folder of objects, like MANIFEST'),
  rate: positiveNumberFlag('rate', 'N', 'requests a second', { fallback: 20, maximum: 10_000 }),
  duration: {
    name: 'duration',
    argument: 'DURATION',
    help: 'how long to send requests',
    fallback: 10_000,
    shownFallback: '10s',
    read: readPeriod,
  },
  concurrency: wholeNumberFlag(
    positiveNumberFlag('concurrency', 'N', 'requests in flight at the same time', { fallback: 16, maximum: 1000 }),
  ),
  mix: mixFlag,
  threshold: thresholdFlag,
  dryRun: switchFlag('dry-run', 'only creates, with dryRun=All: nothing is stored, every webhook is called'),
  seed: wholeNumberFlag(
    positiveNumberFlag('seed', 'N', 'seed of the order of the mix', { fallback: 1, maximum: Number.MAX_SAFE_INTEGER }),
  ),
  kubeconfig: kubeconfigFlag,
  output: outputFlag,
};

/** `kadmit bench MANIFEST…`: a mix of writes at a rate; exit code 1 when a threshold is not met. */
export const benchCommand = defineCommand({
  name: 'bench',
  group: 'Test',
  synopsis: ['MANIFEST... [FLAGS]', '-f FILE [FLAGS]'],
  purpose: 'write objects at a rate and measure latency',
  details: [
    'Creates copies of these objects at a rate, updates, patches and deletes them, and prints the latency of requests and ' +
      'webhooks. Deletes what it has created at the end. Works with any API server: kadmit, kind, a test cluster.',
    'Exit codes: 0 all thresholds are met, 1 one is not, 2 a file or a server cannot be used.',
  ],
  flags,
  positionals: { name: 'MANIFEST', complete: [{ type: 'files' }] },
  examples: [
    'bench pod.yaml --rate 50 --duration 30s',
    "bench pod.yaml --threshold 'p99<200ms' --threshold 'errors<1%'",
  ],
  run: async ({ args, options }, io) => {
    const paths = [...options.files, ...args];
    if (paths.length === 0) throw new ConfigError('MANIFEST or -f FILE is required');
    const objects = trialObjects(paths).map(({ object }) => object);
    const document = await benchWithProgress(objects, options);
    await printDocument(io, options.output, document, () => benchText(document));
    return document.thresholds.every(({ met }) => met) ? exitCodes.fine : exitCodes.failed;
  },
});

/** Ctrl-C ends it early. */
async function benchWithProgress(
  objects: readonly JsonObject[],
  options: LoadOptions & { readonly kubeconfig: string },
): Promise<BenchDocument> {
  const access = await readKubeconfig(options.kubeconfig);
  const line = createLiveLine(process.stderr);
  const interrupt = { requested: false };
  const stop = (): void => void (interrupt.requested = true);
  process.once('SIGINT', stop);
  const shown = setInterval(() => line.show(`${access.url}: sending requests …`), 1000);
  try {
    return await runServerLoad(objects, access, options, () => interrupt.requested);
  } finally {
    clearInterval(shown);
    line.clear();
    process.off('SIGINT', stop);
  }
}

function benchText({
  sent,
  failed,
  rate,
  requested,
  all,
  byVerb,
  webhooks,
  errors,
  thresholds,
}: BenchDocument): string {
  const rows = [['all', all] as const, ...Object.entries(byVerb)].map(([name, { count, mean, p50, p95, p99, max }]) => [
    name,
    String(count),
    ...[mean, p50, p95, p99, max].map(formatMs),
  ]);
  const called = (webhooks ?? []).map(({ name, calls, rejected, mean, p50, p95, p99 }) => [
    name,
    String(calls),
    ...[mean, p50, p95, p99].map(formatMs),
    rejected === 0 ? '' : `${rejected} rejected`,
  ]);
  return [
    `${sent} requests of ${requested.requests} in ${(sent / (rate || 1)).toFixed(1)} s, ${rate} a second (requested: ${requested.rate}), ${failed} failed`,
    ...formatTable([['', 'requests', 'mean', 'p50', 'p95', 'p99', 'max'], ...rows]),
    ...errors.map(
      ({ verb, code, count, message }) =>
        `  ${count} × ${verb} ${code === 0 ? 'no response' : code}: ${message.split('\n')[0] ?? ''}`,
    ),
    ...(webhooks === null ? ['the server shows no metrics to this user: no latency of webhooks'] : []),
    ...(called.length > 0 ? formatTable([['webhook', 'calls', 'mean', 'p50', 'p95', 'p99', ''], ...called]) : []),
    ...thresholds.map(({ threshold, met, value }) => `${met ? 'met    ' : 'NOT MET'}  ${threshold}: ${value}`),
  ].join('\n');
}

const formatMs = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;

function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`.trimEnd(),
  );
}
