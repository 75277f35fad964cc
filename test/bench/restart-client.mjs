import { jsonRequest, openLine } from './https-line.mjs';

const configMaps = '/api/v1/namespaces/default/configmaps';
const keysEach = 3;

/**
 * One client with names of its own: creates, changes, reads and deletes until the server is gone. `known` has what it was told
 * of each name; what it was not told is left open in the history, and returned.
 */
export async function writeUntilGone({ server, id, history, known, random, nextValue }) {
  const line = openLine(server);
  for (;;) {
    // A name that was deleted is not used again: the history tells removals of one name not apart.
    const place = `c${id}-${Math.floor(random() * keysEach)}-`;
    const there = [...known.keys()].find((one) => one.startsWith(place));
    const act = actOn(there, random());
    const value = act === 'create' || act === 'update' ? nextValue() : known.get(there)?.value;
    const name = there ?? place + value;
    const askedAt = performance.now();
    try {
      const { code, body } = await line.send(requestOf(act, name, value));
      if (code >= 400) return { name, act, fault: `${act} ${name}: ${code} ${body.toString().slice(0, 300)}` };
      const { metadata, data } = JSON.parse(body.toString());
      const told = act === 'delete' ? {} : { revision: Number(metadata.resourceVersion), value: data.sent };
      history.acknowledge({ key: name, act, askedAt, heardAt: performance.now(), ...told });
      if (act === 'delete') known.delete(name);
      else known.set(name, told);
    } catch {
      line.close();
      if (act !== 'read') history.leaveOpen(name);
      return { name, act, value };
    }
  }
}

function actOn(current, chance) {
  if (!current) return 'create';
  if (chance < 0.2) return 'delete';
  return chance < 0.3 ? 'read' : 'update';
}

const methods = { create: 'POST', update: 'PUT', delete: 'DELETE', read: 'GET' };

function requestOf(act, name, value) {
  const path = act === 'create' ? configMaps : `${configMaps}/${name}`;
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
    data: { sent: value },
  };
  return jsonRequest(methods[act], path, act === 'create' || act === 'update' ? configMap : undefined);
}
