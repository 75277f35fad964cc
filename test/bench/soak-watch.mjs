import { once } from 'node:events';
import { get } from 'node:https';
import { valueOf } from './soak-client.mjs';

/** Follows ConfigMaps, from a resourceVersion on if one is given, tells the history of each event and counts how often each name was added. */
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
        count(added, event);
        // A controller writes too.
        if (event.type !== 'BOOKMARK' && event.object.metadata.name !== 'kube-root-ca.crt')
          history.observe(observed(event));
      }
    });
  });
  request.on('error', () => undefined);
  await once(request, 'response');
  return { added: (name) => added.get(name) ?? 0, close: () => request.destroy() };
}

const observed = ({ type, object: { metadata, data } }) => ({
  key: metadata.name,
  type,
  revision: Number(metadata.resourceVersion),
  value: valueOf(data),
});

function count(added, { type, object }) {
  const { name } = object.metadata;
  if (type === 'ADDED') added.set(name, (added.get(name) ?? 0) + 1);
}
