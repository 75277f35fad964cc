import { connectToEtcd } from '../../src/adapters/storage/etcd/connection.ts';

/** The history of the ConfigMaps in etcd after one revision and up to another, read over a watch of its own. */
export async function readTruth({ url, prefix, before, since, upTo }) {
  const connection = connectToEtcd({ servers: [url] });
  const folder = `${prefix}/configmaps/default/`;
  const existing = new Set(before.keys());
  const events = [];
  const complete = new Promise((resolve, reject) => {
    const call = connection.watch({
      received: (response) => {
        if (response.canceled) reject(new Error(`etcd has compacted the revisions after ${since}`));
        for (const event of response.events) events.push(toEvent(event, folder, existing));
        if ((events.at(-1)?.revision ?? 0) >= upTo) resolve();
      },
      ended: reject,
    });
    const rangeEnd = Buffer.from(folder.replace(/\/$/, '0'));
    call.send({ create: { key: Buffer.from(folder), rangeEnd, startRevision: since + 1 } });
  });
  try {
    await complete;
  } finally {
    connection.close();
  }
  return { before, events: events.filter(({ revision }) => revision <= upTo) };
}

function toEvent({ type, kv }, folder, existing) {
  const key = kv.key.toString().slice(folder.length);
  const revision = kv.modRevision;
  if (type !== 0) {
    existing.delete(key);
    return { key, type: 'DELETED', revision, value: '' };
  }
  const isNew = !existing.has(key);
  existing.add(key);
  return { key, type: isNew ? 'ADDED' : 'MODIFIED', revision, value: JSON.parse(kv.value.toString()).data.sent };
}

/** The state after these events. */
export function stateAfter({ before, events }) {
  const state = new Map(before);
  for (const { key, type, revision, value } of events) {
    if (type === 'DELETED') state.delete(key);
    else state.set(key, { revision, value });
  }
  return state;
}
