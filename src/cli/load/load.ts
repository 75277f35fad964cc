import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../config/config-error.ts';
import { createSeededRandom } from '../../faults/seeded-chance.ts';
import { runLoad } from '../../load/run-load.ts';
import type { LoadResult } from '../../load/run-load.ts';
import { judge } from '../../load/threshold.ts';
import { webhookLatencies } from '../../load/webhook-latency.ts';
import type { WebhookLatency } from '../../load/webhook-latency.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { parseFlags, spelledOut } from '../../flags/flags.ts';
import { readKubeconfig } from '../kubeconfig/read-kubeconfig.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/live-line.ts';
import { structured } from '../terminal/structured.ts';
import { trialObjects } from '../../trials/trial-scenarios.ts';
import { loadFlags, loadHelp } from './load-options.ts';
import type { LoadOptions } from './load-options.ts';
import { connectLoadServer } from './load-server.ts';
import { loadText } from './load-text.ts';
import type { LoadDocument } from './load-text.ts';

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
    const document = await loadOf(objects, parsed.options);
    const { output } = parsed.options;
    io.out(output === 'text' ? loadText(document) : await structured(output, JSON.stringify(document, undefined, 2)));
    return document.thresholds.every(({ met }) => met) ? exitCodes.fine : exitCodes.failed;
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'load', error.message);
    throw error;
  }
}

/** Puts the load on the server of a kubeconfig. Rejects with ConfigError when it cannot be reached or serves none of the kinds. */
export async function loadOf(
  objects: readonly JsonObject[],
  options: Omit<LoadOptions, 'output'>,
): Promise<LoadDocument> {
  const access = await readKubeconfig(options.kubeconfig);
  const server = connectLoadServer(access);
  const line = createLiveLine(process.stderr);
  const interrupt = { asked: false };
  const stop = (): void => void (interrupt.asked = true);
  process.once('SIGINT', stop);
  const shown = setInterval(() => line.show(`${access.url}: requests are under way …`), 1000);
  try {
    const targets = await server.targetsOf(objects);
    const before = await server.metrics();
    const { rate, duration, concurrency, mix, dryRun, seed } = options;
    const label = Math.random().toString(36).slice(2, 7);
    const result = await runLoad(
      { targets, mix, rate, milliseconds: duration, concurrency, dryRun, label },
      {
        send: server.send,
        now: () => performance.now(),
        sleep,
        chance: createSeededRandom(seed),
        isOver: () => interrupt.asked,
      },
    );
    const after = await server.metrics();
    const webhooks = before === undefined || after === undefined ? undefined : webhookLatencies(before, after);
    return documentOf(result, webhooks, { ...options, server: access.url });
  } finally {
    clearInterval(shown);
    line.clear();
    process.off('SIGINT', stop);
    server.close();
  }
}

function documentOf(
  result: LoadResult,
  webhooks: readonly WebhookLatency[] | undefined,
  {
    rate,
    duration,
    threshold,
    server,
  }: Pick<LoadOptions, 'rate' | 'duration' | 'threshold'> & { readonly server: string },
): LoadDocument {
  const { sent, due, seconds, all, byVerb, errors } = result;
  const failed = errors.reduce((sum, { count }) => sum + count, 0);
  const reached = seconds === 0 ? 0 : sent / seconds;
  const shares = { errors: sent === 0 ? 1 : failed / sent, rate: Math.min(1, reached / rate) };
  const measured = { all, byVerb, webhooks: webhooks ?? [], ...shares };
  return {
    loadVersion: 1,
    server,
    asked: { rate, seconds: duration / 1000, requests: due },
    sent,
    failed,
    rate: Math.round(reached * 100) / 100,
    all,
    byVerb,
    webhooks: webhooks ?? null,
    errors,
    thresholds: threshold.map((one) => judge(one, measured)),
  };
}
