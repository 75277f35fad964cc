import { once } from 'node:events';
import { get } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './https-line.mjs';

const configMaps = '/api/v1/namespaces/default/configmaps';

/**
 * Watches the ConfigMaps of a server until it is closed. After a lost connection it continues from the last event;
 * when that revision is too old it lists again. Each of `parts` is without a gap.
 */
export function followServer(name, server) {
  const parts = [];
  let isClosed = false;
  let request;
  const run = async () => {
    let since = await begin(name, server, parts);
    while (!isClosed) {
      const end = await readWatch(server, since, parts.at(-1), (opened) => (request = opened));
      since = parts.at(-1).events.at(-1)?.revision ?? parts.at(-1).since;
      if (!isClosed && end === 'gone') since = await begin(name, server, parts);
      else await sleep(100);
    }
  };
  const running = run();
  return {
    parts,
    reached: () => parts.at(-1)?.events.at(-1)?.revision ?? parts.at(-1)?.since ?? 0,
    close: async () => {
      isClosed = true;
      request?.destroy();
      await running;
    },
  };
}

/** Lists until the server responds: the stored values, and the revision from which to watch. */
export async function listed(server) {
  for (;;) {
    try {
      const { metadata, items } = await ask(server, 'GET', configMaps);
      const values = items.map(({ metadata: { name, resourceVersion }, data }) => [
        name,
        { revision: Number(resourceVersion), value: data?.sent },
      ]);
      return { since: Number(metadata.resourceVersion), listed: new Map(values) };
    } catch {
      await sleep(200);
    }
  }
}

async function begin(name, server, parts) {
  const first = await listed(server);
  parts.push({ name: `${name}, list ${parts.length + 1}`, ...first, events: [] });
  return first.since;
}

/** Reads until the connection ends; 'gone' when the revision is too old. */
async function readWatch({ port, ca, cert, key }, since, part, onOpen) {
  const path = `${configMaps}?watch=true&timeoutSeconds=3600&resourceVersion=${since}`;
  const request = get({ host: '127.0.0.1', port, path, ca, cert, key, agent: false });
  onOpen(request);
  try {
    const [response] = await once(request, 'response');
    if (response.statusCode === 410) return 'gone';
    if (response.statusCode !== 200) return 'ended';
    for await (const { type, object } of readLines(response)) {
      if (type === 'ERROR') return object.code === 410 ? 'gone' : 'ended';
      if (type !== 'BOOKMARK') part.events.push(toEvent(type, object));
    }
    return 'ended';
  } catch {
    return 'ended';
  } finally {
    request.destroy();
  }
}

const toEvent = (type, { metadata, data }) => ({
  key: metadata.name,
  type,
  revision: Number(metadata.resourceVersion),
  value: data?.sent ?? '',
});

/** The lines of a watch as they arrive. */
async function* readLines(response) {
  response.setEncoding('utf8');
  let rest = '';
  for await (const chunk of response) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
