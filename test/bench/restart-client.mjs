import { jsonRequest, openLine } from './https-line.mjs';

const configMaps = '/api/v1/namespaces/default/configmaps';
const keysEach = 3;

/**
 * One client with names of its own: creates, updates, reads and deletes until the server is gone. `known` has the last response
 * for each name; the write without a response is left open in the history, and returned.
 */
export async function writeUntilGone({ server, id, history, known, random, nextValue }) {
  const line = openLine(server);
  for (;;) {
    // A deleted name is not used again: the history cannot distinguish two deletions of one name.
    const prefix = `c${id}-${Math.floor(random() * keysEach)}-`;
    const existing = [...known.keys()].find((candidate) => candidate.startsWith(prefix));
    const act = chooseAct(existing, random());
    const value = act === 'create' || act === 'update' ? nextValue() : known.get(existing)?.value;
    const name = existing ?? prefix + value;
    const sentAt = performance.now();
    try {
      const { code, body } = await line.send(encodeRequest(act, name, value));
      if (code >= 400) return { name, act, fault: `${act} ${name}: ${code} ${body.toString().slice(0, 300)}` };
      const { metadata, data } = JSON.parse(body.toString());
      const stored = act === 'delete' ? {} : { revision: Number(metadata.resourceVersion), value: data.sent };
      history.acknowledge({ key: name, act, sentAt, receivedAt: performance.now(), ...stored });
      if (act === 'delete') known.delete(name);
      else known.set(name, stored);
    } catch {
      line.close();
      if (act !== 'read') history.leaveOpen(name);
      return { name, act, value };
    }
  }
}

function chooseAct(current, chance) {
  if (!current) return 'create';
  if (chance < 0.2) return 'delete';
  return chance < 0.3 ? 'read' : 'update';
}

const methods = { create: 'POST', update: 'PUT', delete: 'DELETE', read: 'GET' };

function encodeRequest(act, name, value) {
  const path = act === 'create' ? configMaps : `${configMaps}/${name}`;
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
    data: { sent: value },
  };
  return jsonRequest(methods[act], path, act === 'create' || act === 'update' ? configMap : undefined);
}
