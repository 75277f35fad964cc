import { setTimeout as sleep } from 'node:timers/promises';
import { jsonRequest, openLine } from './https-line.mjs';

const configMaps = '/api/v1/namespaces/default/configmaps';
const keys = 12;
/** Longer than a server waits for its storage. */
const patienceMs = 30_000;

/**
 * One of many clients that write to the same names through either server until told to stop. `known` is what they heard of
 * each name last; `tell` is told of every act and what came of it.
 */
export async function writeTogether({ servers, isOver, known, random, nextValue, tell }) {
  const lines = new Map();
  while (!isOver()) {
    const server = servers[Math.floor(random() * servers.length)];
    const line = lines.get(server) ?? openLine(server);
    lines.set(server, line);
    const asked = nextAct(known, random, nextValue);
    const answer = await answerOf(line, requestOf(asked));
    if (answer === undefined) {
      line.close();
      lines.delete(server);
    }
    const told = { ...asked, ...readingOf(asked, answer), heardAt: performance.now() };
    tell(told);
    remember(known, told);
    if (told.outcome === 'open') await sleep(20);
  }
  for (const line of lines.values()) line.close();
}

function nextAct(known, random, nextValue) {
  const key = `k${Math.floor(random() * keys)}`;
  const there = known.get(key);
  const act = actOn(there, random());
  return {
    key,
    act,
    value: act === 'create' || act === 'update' ? nextValue() : undefined,
    expected: act === 'update' || act === 'delete' ? there.revision : undefined,
    askedAt: performance.now(),
  };
}

function readingOf({ act }, answer) {
  const outcome = outcomeOf(answer);
  if (outcome !== 'done' || act === 'delete') return { outcome };
  const { metadata, data } = JSON.parse(answer.body.toString());
  return { outcome, revision: Number(metadata.resourceVersion), value: data.sent };
}

/** Who was refused, or heard nothing, looks again. */
function remember(known, { key, act, outcome, revision, value }) {
  if (outcome === 'done' && act !== 'delete') known.set(key, { revision, value });
  else if (act === 'read' || act === 'delete') known.delete(key);
  else known.set(key, { ...known.get(key), isOld: true });
}

function actOn(there, chance) {
  if (!there) return 'create';
  if (there.isOld || chance < 0.2) return 'read';
  return chance < 0.35 ? 'delete' : 'update';
}

async function answerOf(line, bytes) {
  const over = new AbortController();
  const late = sleep(patienceMs, undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([line.send(bytes), late]);
  } catch {
    return undefined;
  } finally {
    over.abort();
  }
}

/** A server that could not ask its storage, or was not told what came of it, answers with 5xx. */
function outcomeOf(answer) {
  if (answer === undefined || answer.code >= 500) return 'open';
  return answer.code < 300 ? 'done' : 'refused';
}

const methods = { create: 'POST', update: 'PUT', delete: 'DELETE', read: 'GET' };

function requestOf({ key, act, value, expected }) {
  const path = act === 'create' ? configMaps : `${configMaps}/${key}`;
  return jsonRequest(methods[act], path, bodyOf({ key, act, value, resourceVersion: String(expected) }));
}

function bodyOf({ key, act, value, resourceVersion }) {
  if (act === 'read') return undefined;
  if (act === 'delete') return { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { resourceVersion } };
  const metadata = { name: key, namespace: 'default', ...(act === 'update' ? { resourceVersion } : {}) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { sent: value } };
}
