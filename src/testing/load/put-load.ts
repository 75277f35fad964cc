import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../adapters/config/config-error.ts';
import {
  createHttpsClient,
  messageIn,
  objectIn,
  type ServerAccess,
} from '../../adapters/config/kubeconfig/call-server.ts';
import { errorText } from '../../machinery/errors.ts';
import { bigintAsText } from '../../machinery/json/json-writer.ts';
import { asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import { parseApiVersion, collectionPath } from '../../machinery/meta/gvk.ts';
import { discoverResources, resourceForKind } from '../../adapters/config/kubeconfig/discovery.ts';

import { createSeededRandom } from '../stubs/seeded-random.ts';
import { checkThreshold, type ThresholdResult, type Latency, type Threshold } from './threshold.ts';
import { type LoadError, type LoadPorts, type LoadResult, type LoadTarget, type Mix, runLoad } from './run-load.ts';
import { webhookLatencies, type WebhookLatency } from './webhook-latency.ts';

/** The result of a load: docs/reference/bench.schema.json. */
export interface BenchDocument {
  readonly benchVersion: 1;
  readonly server: string;
  readonly requested: { readonly rate: number; readonly seconds: number; readonly requests: number };
  readonly sent: number;
  readonly failed: number;
  /** Sent requests per second. */
  readonly rate: number;
  readonly all: Latency;
  readonly byVerb: Readonly<Record<string, Latency>>;
  /** null: this user may not read the server's metrics. */
  readonly webhooks: readonly WebhookLatency[] | null;
  readonly errors: readonly LoadError[];
  readonly thresholds: readonly ThresholdResult[];
}

export interface LoadOptions {
  /** Requests per second; the duration is in milliseconds. */
  readonly rate: number;
  readonly duration: number;
  /** Most requests in flight. */
  readonly concurrency: number;
  readonly mix: Mix;
  readonly threshold: readonly Threshold[];
  readonly dryRun: boolean;
  readonly seed: number;
}

/**
 * Creates copies of the objects and changes them at a rate; `isOver` ends it early. Rejects with ConfigError when the server cannot be
 * reached or does not serve a kind.
 */
export async function runServerLoad(
  objects: readonly JsonObject[],
  access: ServerAccess,
  load: LoadOptions,
  isOver: () => boolean,
): Promise<BenchDocument> {
  const server = connectLoadServer(access);
  try {
    const targets = await server.targetsOf(objects);
    const before = await server.metrics();
    const { rate, duration, concurrency, mix, dryRun, seed } = load;
    const label = Math.random().toString(36).slice(2, 7);
    const result = await runLoad(
      { targets, mix, rate, milliseconds: duration, concurrency, dryRun, label },
      { send: server.send, now: () => performance.now(), sleep, chance: createSeededRandom(seed), isOver },
    );
    const after = await server.metrics();
    const webhooks = before === undefined || after === undefined ? undefined : webhookLatencies(before, after);
    return toDocument(result, webhooks, { ...load, server: access.url });
  } finally {
    server.close();
  }
}

function toDocument(
  result: LoadResult,
  webhooks: readonly WebhookLatency[] | undefined,
  {
    rate,
    duration,
    threshold,
    server,
  }: Pick<LoadOptions, 'rate' | 'duration' | 'threshold'> & { readonly server: string },
): BenchDocument {
  const { sent, due, seconds, all, byVerb, errors } = result;
  const failed = errors.reduce((sum, { count }) => sum + count, 0);
  const reached = seconds === 0 ? 0 : sent / seconds;
  const shares = { errors: sent === 0 ? 1 : failed / sent, rate: Math.min(1, reached / rate) };
  const measured = { all, byVerb, webhooks: webhooks ?? [], ...shares };
  return {
    benchVersion: 1,
    server,
    requested: { rate, seconds: duration / 1000, requests: due },
    sent,
    failed,
    rate: Math.round(reached * 100) / 100,
    all,
    byVerb,
    webhooks: webhooks ?? null,
    errors,
    thresholds: threshold.map((one) => checkThreshold(one, measured)),
  };
}

interface LoadServer {
  /** Rejects with ConfigError for a kind that is not served. */
  readonly targetsOf: (objects: readonly JsonObject[]) => Promise<readonly LoadTarget[]>;
  readonly send: LoadPorts['send'];
  /** undefined when this user may not read them. */
  readonly metrics: () => Promise<string | undefined>;
  readonly close: () => void;
}

function connectLoadServer(access: ServerAccess): LoadServer {
  const client = createHttpsClient(access);
  const headers = { 'user-agent': 'kadmit-load', accept: 'application/json' };
  const get = async (path: string, accept = 'application/json') => {
    try {
      return await client.send({ method: 'GET', path, headers: { ...headers, accept }, body: undefined });
    } catch (error) {
      throw new ConfigError(`${access.kubeconfig}: ${errorText(error)}`);
    }
  };
  return {
    targetsOf: async (objects) => {
      const resources = await discoverResources(async (path, accept) => {
        const { code, text } = await get(path, accept);
        if (code === 401 || code === 403)
          throw new ConfigError(`${access.url} refuses ${path} with ${code}: ${messageIn(text)}`);
        return code === 200 ? objectIn(text) : {};
      });
      return objects.map((object) => {
        const version = asString(object['apiVersion']);
        const gvk = { ...parseApiVersion(version), kind: asString(object['kind']) };
        const resource = resourceForKind(gvk, resources);
        if (resource === undefined)
          throw new ConfigError(`${access.url} serves no ${gvk.kind} in version ${JSON.stringify(version)}`);
        const namespace = asString(asObject(object['metadata'])['namespace']) || access.namespace;
        return {
          object,
          collection: collectionPath(resource, namespace),
        };
      });
    },
    send: async ({ method, path, body, contentType = 'application/json' }) => {
      const sent = body === undefined ? {} : { 'content-type': contentType };
      const text = body === undefined ? undefined : JSON.stringify(body, bigintAsText);
      try {
        const answer = await client.send({ method, path, headers: { ...headers, ...sent }, body: text });
        const isRead = answer.code >= 400 || method === 'GET';
        return { code: answer.code, body: isRead ? objectIn(answer.text) : {} };
      } catch (error) {
        return { code: 0, body: { message: errorText(error) } };
      }
    },
    metrics: async () => {
      const { code, text } = await get('/metrics', 'text/plain');
      return code === 200 ? text : undefined;
    },
    close: client.close,
  };
}
