import { once } from 'node:events';
import { get } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './https-line.mjs';

const configMaps = '/api/v1/namespaces/default/configmaps';

/**
 * Follows the ConfigMaps of a server for as long as it is told to: where the connection ends it goes on from the last event,
 * where the server has forgotten that it lists again. `parts` are what it was told without a break.
 */
export function followServer(name, server) {
  const parts = [];
  let isClosed = false;
  let request;
  const run = async () => {
    let since = await begin(name, server, parts);
    while (!isClosed) {
      const end = await readWatch(server, since, parts.at(-1), (one) => (request = one));
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

/** What is there, and from when on a watch tells more; asked until somebody answers. */
export async function listed(server) {
  for (;;) {
    try {
      const { metadata, items } = await ask(server, 'GET', configMaps);
      const kept = items.map(({ metadata: { name, resourceVersion }, data }) => [
        name,
        { revision: Number(resourceVersion), value: data?.sent },
      ]);
      return { since: Number(metadata.resourceVersion), listed: new Map(kept) };
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

/** Until the connection ends; 'gone' when the server does not reach back so far. */
async function readWatch({ port, ca, cert, key }, since, part, opened) {
  const path = `${configMaps}?watch=true&timeoutSeconds=3600&resourceVersion=${since}`;
  const request = get({ host: '127.0.0.1', port, path, ca, cert, key, agent: false });
  opened(request);
  try {
    const [response] = await once(request, 'response');
    if (response.statusCode === 410) return 'gone';
    if (response.statusCode !== 200) return 'ended';
    for await (const { type, object } of eventsOf(response)) {
      if (type === 'ERROR') return object.code === 410 ? 'gone' : 'ended';
      if (type !== 'BOOKMARK') part.events.push(eventOf(type, object));
    }
    return 'ended';
  } catch {
    return 'ended';
  } finally {
    request.destroy();
  }
}

const eventOf = (type, { metadata, data }) => ({
  key: metadata.name,
  type,
  revision: Number(metadata.resourceVersion),
  value: data?.sent ?? '',
});

/** The lines of a watch as they come. */
async function* eventsOf(response) {
  response.setEncoding('utf8');
  let rest = '';
  for await (const chunk of response) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
