import { setTimeout as sleep } from 'node:timers/promises';
import { asList, asString, valueAt } from '../../../machinery/json/json.ts';
import type { ScenarioWorld, WorldAnswer } from '../world.ts';

type Send = ScenarioWorld['send'];

const configurations = /\/(mutating|validating)webhookconfigurations\//;
const namespaces = /^\/api\/v1\/namespaces\/[^/]+$/;

/** Milliseconds for a namespace to terminate, and between reads. */
const timeoutMs = 60_000;
const pollMs = 100;

/**
 * Deletes webhook configurations first (they could refuse the rest), then objects in reverse order, then namespaces, and waits. Removes
 * finalizers that block. Throws when an object stays.
 */
export async function cleanUpTarget(paths: readonly string[], send: Send, settle: () => Promise<void>): Promise<void> {
  const first = paths.filter((path) => configurations.test(path));
  for (const path of first) await remove(path, send);
  if (first.length > 0) await settle();
  const own = paths.filter((path) => namespaces.test(path));
  const inside = paths.filter((path) => !first.includes(path) && !own.includes(path));
  for (const path of inside.toReversed()) await remove(path, send);
  for (const path of own) await remove(path, send);
  for (const path of [...inside, ...own]) await untilGone(path, send);
}

async function remove(path: string, send: Send): Promise<void> {
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', gracePeriodSeconds: 0 };
  const answer = await send({ method: 'DELETE', path, body });
  if (answer.code >= 400 && answer.code !== 404) throw new Error(`${path} cannot be deleted: ${messageOf(answer)}`);
}

async function untilGone(path: string, send: Send): Promise<void> {
  for (let waited = 0; waited < timeoutMs; waited += pollMs) {
    const answer = await send({ method: 'GET', path });
    if (answer.code === 404) return;
    if (asList(valueAt(answer.body, 'metadata', 'finalizers')).length > 0) await dropFinalizers(path, send);
    else await sleep(pollMs);
  }
  throw new Error(`${path} is still there after ${timeoutMs / 1000} s`);
}

async function dropFinalizers(path: string, send: Send): Promise<void> {
  const body = { metadata: { finalizers: null } };
  const answer = await send({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
  if (answer.code >= 400 && answer.code !== 404) throw new Error(`${path} keeps its finalizers: ${messageOf(answer)}`);
}

const messageOf = ({ body, code }: WorldAnswer): string => asString(body['message']) || String(code);
