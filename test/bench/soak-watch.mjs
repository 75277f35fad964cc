import { get } from 'node:https';

/** Follows ConfigMaps and counts how often each name was added. */
export function followChanges({ port, ca, cert, key }) {
  const added = new Map();
  const path = '/api/v1/namespaces/default/configmaps?watch=true&timeoutSeconds=3600';
  let rest = '';
  const request = get({ host: '127.0.0.1', port, path, ca, cert, key, agent: false }, (response) => {
    response.setEncoding('utf8');
    response.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) count(added, JSON.parse(line));
    });
  });
  request.on('error', () => undefined);
  return { added: (name) => added.get(name) ?? 0, close: () => request.destroy() };
}

function count(added, { type, object }) {
  const { name } = object.metadata;
  if (type === 'ADDED') added.set(name, (added.get(name) ?? 0) + 1);
}
