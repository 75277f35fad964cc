import { once } from 'node:events';
import { get } from 'node:https';
import { valueOf } from './soak-client.mjs';

/** Watches ConfigMaps, from `since` if given; records each event in the history and counts how often each name was added. */
export async function followChanges({ port, ca, cert, key }, history, since = '') {
  const added = new Map();
  const path = `/api/v1/namespaces/default/configmaps?watch=true&timeoutSeconds=3600&resourceVersion=${since}`;
  let rest = '';
  const request = get({ host: '127.0.0.1', port, path, ca, cert, key, agent: false }, (response) => {
    response.setEncoding('utf8');
    response.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = JSON.parse(line);
        countAdded(added, event);
        // A controller writes too.
        if (event.type !== 'BOOKMARK' && event.object.metadata.name !== 'kube-root-ca.crt')
          history.observe(toObserved(event));
      }
    });
  });
  request.on('error', () => undefined);
  await once(request, 'response');
  return { added: (name) => added.get(name) ?? 0, close: () => request.destroy() };
}

const toObserved = ({ type, object: { metadata, data } }) => ({
  key: metadata.name,
  type,
  revision: Number(metadata.resourceVersion),
  value: valueOf(data),
});

function countAdded(added, { type, object }) {
  const { name } = object.metadata;
  if (type === 'ADDED') added.set(name, (added.get(name) ?? 0) + 1);
}
