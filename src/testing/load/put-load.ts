import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../machinery/json/json.ts';
import { createSeededRandom } from '../stubs/seeded-chance.ts';
import type { ServerAccess } from '../../adapters/config/kubeconfig/server-access.ts';
import type { Latency } from './latency.ts';
import { connectLoadServer } from './load-server.ts';
import type { Mix } from './mix.ts';
import { runLoad } from './run-load.ts';
import type { LoadError, LoadResult } from './run-load.ts';
import { judge } from './threshold.ts';
import type { Judged, Threshold } from './threshold.ts';
import { webhookLatencies } from './webhook-latency.ts';
import type { WebhookLatency } from './webhook-latency.ts';

/** What a load came to: docs/load.schema.json. */
export interface LoadDocument {
  readonly loadVersion: 1;
  readonly server: string;
  readonly asked: { readonly rate: number; readonly seconds: number; readonly requests: number };
  readonly sent: number;
  readonly failed: number;
  /** Requests a second that were sent. */
  readonly rate: number;
  readonly all: Latency;
  readonly byVerb: Readonly<Record<string, Latency>>;
  /** null: the server shows no metrics to this user. */
  readonly webhooks: readonly WebhookLatency[] | null;
  readonly errors: readonly LoadError[];
  readonly thresholds: readonly Judged[];
}

/** How much, of what, and what has to be kept to. */
export interface LoadWish {
  /** Requests a second, and for how many milliseconds. */
  readonly rate: number;
  readonly duration: number;
  /** How many may be under way at the same time. */
  readonly concurrency: number;
  readonly mix: Mix;
  readonly threshold: readonly Threshold[];
  readonly dryRun: boolean;
  readonly seed: number;
}

/**
 * Puts a load on a server: copies of these objects; `isOver` ends it early. Rejects with ConfigError when it cannot be reached or
 * serves none of the kinds.
 */
export async function putLoad(
  objects: readonly JsonObject[],
  access: ServerAccess,
  wish: LoadWish,
  isOver: () => boolean,
): Promise<LoadDocument> {
  const server = connectLoadServer(access);
  try {
    const targets = await server.targetsOf(objects);
    const before = await server.metrics();
    const { rate, duration, concurrency, mix, dryRun, seed } = wish;
    const label = Math.random().toString(36).slice(2, 7);
    const result = await runLoad(
      { targets, mix, rate, milliseconds: duration, concurrency, dryRun, label },
      { send: server.send, now: () => performance.now(), sleep, chance: createSeededRandom(seed), isOver },
    );
    const after = await server.metrics();
    const webhooks = before === undefined || after === undefined ? undefined : webhookLatencies(before, after);
    return documentOf(result, webhooks, { ...wish, server: access.url });
  } finally {
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
  }: Pick<LoadWish, 'rate' | 'duration' | 'threshold'> & { readonly server: string },
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
