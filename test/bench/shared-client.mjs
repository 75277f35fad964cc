import { setTimeout as sleep } from 'node:timers/promises';
import { jsonRequest, openLine } from './https-line.mjs';

const configMaps = '/api/v1/namespaces/default/configmaps';
const keys = 12;
/** Longer than a server waits for its storage. */
const patienceMs = 30_000;

/**
 * One of many clients that write to the same names through either server until `isOver`. `known` has the last response
 * for each name; `onAct` receives every act with its outcome.
 */
export async function writeTogether({ servers, isOver, known, random, nextValue, onAct }) {
  const lines = new Map();
  while (!isOver()) {
    const server = servers[Math.floor(random() * servers.length)];
    const line = lines.get(server) ?? openLine(server);
    lines.set(server, line);
    const request = nextAct(known, random, nextValue);
    const answer = await sendInTime(line, encodeRequest(request));
    if (answer === undefined) {
      line.close();
      lines.delete(server);
    }
    const act = { ...request, ...decodeAnswer(request, answer), receivedAt: performance.now() };
    onAct(act);
    remember(known, act);
    if (act.outcome === 'open') await sleep(20);
  }
  for (const line of lines.values()) line.close();
}

function nextAct(known, random, nextValue) {
  const key = `k${Math.floor(random() * keys)}`;
  const current = known.get(key);
  const act = chooseAct(current, random());
  return {
    key,
    act,
    value: act === 'create' || act === 'update' ? nextValue() : undefined,
    expected: act === 'update' || act === 'delete' ? current.revision : undefined,
    sentAt: performance.now(),
  };
}

function decodeAnswer({ act }, answer) {
  const outcome = outcomeOf(answer);
  if (outcome !== 'done' || act === 'delete') return { outcome };
  const { metadata, data } = JSON.parse(answer.body.toString());
  return { outcome, revision: Number(metadata.resourceVersion), value: data.sent };
}

/** After a refusal, or without a response, the object is read again. */
function remember(known, { key, act, outcome, revision, value }) {
  if (outcome === 'done' && act !== 'delete') known.set(key, { revision, value });
  else if (act === 'read' || act === 'delete') known.delete(key);
  else known.set(key, { ...known.get(key), isOld: true });
}

function chooseAct(current, chance) {
  if (!current) return 'create';
  if (current.isOld || chance < 0.2) return 'read';
  return chance < 0.35 ? 'delete' : 'update';
}

async function sendInTime(line, bytes) {
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

/** A server that does not reach its storage, or does not know the outcome, responds with 5xx. */
function outcomeOf(answer) {
  if (answer === undefined || answer.code >= 500) return 'open';
  return answer.code < 300 ? 'done' : 'refused';
}

const methods = { create: 'POST', update: 'PUT', delete: 'DELETE', read: 'GET' };

function encodeRequest({ key, act, value, expected }) {
  const path = act === 'create' ? configMaps : `${configMaps}/${key}`;
  return jsonRequest(methods[act], path, createBody({ key, act, value, resourceVersion: String(expected) }));
}

function createBody({ key, act, value, resourceVersion }) {
  if (act === 'read') return undefined;
  if (act === 'delete') return { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { resourceVersion } };
  const metadata = { name: key, namespace: 'default', ...(act === 'update' ? { resourceVersion } : {}) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { sent: value } };
}
