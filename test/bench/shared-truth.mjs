import { connectToEtcd } from '../../src/adapters/storage/etcd/connection.ts';

/** What etcd itself remembers of the ConfigMaps after a revision and up to another, asked over a watch of its own. */
export async function truthOf({ url, prefix, before, since, upTo }) {
  const connection = connectToEtcd({ servers: [url] });
  const folder = `${prefix}/configmaps/default/`;
  const there = new Set(before.keys());
  const events = [];
  const told = new Promise((resolve, reject) => {
    const call = connection.watch({
      received: (response) => {
        if (response.canceled) reject(new Error(`etcd has forgotten what came after ${since}`));
        for (const event of response.events) events.push(eventOf(event, folder, there));
        if ((events.at(-1)?.revision ?? 0) >= upTo) resolve();
      },
      ended: reject,
    });
    const rangeEnd = Buffer.from(folder.replace(/\/$/, '0'));
    call.send({ create: { key: Buffer.from(folder), rangeEnd, startRevision: since + 1 } });
  });
  try {
    await told;
  } finally {
    connection.close();
  }
  return { before, events: events.filter(({ revision }) => revision <= upTo) };
}

function eventOf({ type, kv }, folder, there) {
  const key = kv.key.toString().slice(folder.length);
  const revision = kv.modRevision;
  if (type !== 0) {
    there.delete(key);
    return { key, type: 'DELETED', revision, value: '' };
  }
  const isNew = !there.has(key);
  there.add(key);
  return { key, type: isNew ? 'ADDED' : 'MODIFIED', revision, value: JSON.parse(kv.value.toString()).data.sent };
}

/** What is there after these events. */
export function stateAfter({ before, events }) {
  const state = new Map(before);
  for (const { key, type, revision, value } of events) {
    if (type === 'DELETED') state.delete(key);
    else state.set(key, { revision, value });
  }
  return state;
}
