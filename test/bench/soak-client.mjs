import { jsonRequest, openLine } from './https-line.mjs';

const configMaps = '/api/v1/namespaces/default/configmaps';
const keepLast = 10;
const counters = 5;

/** What a write is labelled with, and so which of the bad webhooks it meets; one in fifty each. */
const fates = new Map([
  [7, 'fail'],
  [23, 'hang'],
  [41, 'reset'],
]);
const refusing = new Set(['fail', 'hang']);

/**
 * One client: creates, checks, deletes, counts up and now and then hangs up in the middle. Tells `ledger` what the
 * server has acknowledged; `until` says when to stop.
 */
export async function runClient({ server, id, until, ledger, random }) {
  let line = openLine(server);
  const mine = [];
  for (let turn = 0; !until(); turn += 1) {
    const name = `c${id}-${turn}`;
    if (id % 10 === 0 && turn % 20 === 10) {
      line = await hangUp({ server, line, name, ledger, random });
      continue;
    }
    await create({ line, name, turn, ledger, mine });
    if (mine.length > keepLast) await checkAndDelete({ line, name: mine.shift(), ledger });
    if (turn % 10 === 0) await countUp({ line, name: `counter-${id % counters}`, ledger });
  }
  line.close();
}

const configMap = (name, fate) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', labels: { soak: 'yes', fate } },
  data: { sent: name },
});

async function create({ line, name, turn, ledger, mine }) {
  const fate = fates.get(turn % 50) ?? 'fine';
  const askedAt = performance.now();
  const { code, body } = await line.send(jsonRequest('POST', configMaps, configMap(name, fate)));
  ledger.answers += 1;
  if (code === 201 && !refusing.has(fate)) {
    ledger.created.add(name);
    acknowledge(ledger, { act: 'create', name, askedAt, body });
    mine.push(name);
  } else if (code >= 500 && refusing.has(fate)) {
    ledger.refused.add(name);
  } else {
    ledger.faults.push(`create ${name} (${fate}): ${code} ${body.toString().slice(0, 300)}`);
  }
}

/** Nobody can say what became of this one. */
async function hangUp({ server, line, name, ledger, random }) {
  ledger.unknown.add(name);
  ledger.history.leaveOpen(name);
  const sent = line.send(jsonRequest('POST', configMaps, configMap(name, 'fine'))).catch(() => undefined);
  await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, random() * 10))]);
  line.close();
  return openLine(server);
}

async function checkAndDelete({ line, name, ledger }) {
  const readAt = performance.now();
  const found = await line.send(jsonRequest('GET', `${configMaps}/${name}`));
  if (found.code === 200) acknowledge(ledger, { act: 'read', name, askedAt: readAt, body: found.body });
  if (found.code !== 200 || !isRight(JSON.parse(found.body.toString()))) {
    ledger.faults.push(`${name} was acknowledged and reads: ${found.code} ${found.body.toString().slice(0, 300)}`);
  }
  const askedAt = performance.now();
  const { code } = await line.send(jsonRequest('DELETE', `${configMaps}/${name}`));
  if (code === 200) {
    ledger.deleted.add(name);
    ledger.history.acknowledge({ key: name, act: 'delete', askedAt, heardAt: performance.now() });
  } else ledger.faults.push(`delete ${name}: ${code}`);
}

/** Does it hold what was sent and what each mutating webhook added? */
export const isRight = ({ metadata: { name }, data }) =>
  data.sent === name && [1, 2, 3, 4, 5].every((webhook) => data[`m${webhook}`] === name);

/** Reads a counter and writes one more, with the revision that was read. */
async function countUp({ line, name, ledger }) {
  const readAt = performance.now();
  const read = await line.send(jsonRequest('GET', `${configMaps}/${name}`));
  acknowledge(ledger, { act: 'read', name, askedAt: readAt, body: read.body });
  const counter = JSON.parse(read.body.toString());
  const data = { count: String(Number(counter.data.count) + 1) };
  const askedAt = performance.now();
  const { code, body } = await line.send(jsonRequest('PUT', `${configMaps}/${name}`, { ...counter, data }));
  if (code === 200) {
    ledger.counts.set(name, (ledger.counts.get(name) ?? 0) + 1);
    acknowledge(ledger, { act: 'update', name, askedAt, body });
  } else if (code !== 409) ledger.faults.push(`count up ${name}: ${code}`);
}

/** Tells the history of an answer that holds the object. */
function acknowledge(ledger, { act, name, askedAt, body }) {
  const { metadata, data } = JSON.parse(body.toString());
  const heardAt = performance.now();
  const revision = Number(metadata.resourceVersion);
  ledger.history.acknowledge({ key: name, act, revision, value: valueOf(data), askedAt, heardAt });
}

/** What tells one state of an object from another. */
export const valueOf = ({ sent, count }) => sent ?? count;

/** Makes the counters that the clients share. */
export async function createCounters(server, ledger) {
  const line = openLine(server);
  for (let id = 0; id < counters; id += 1) {
    const counter = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `counter-${id}` }, data: { count: '0' } };
    const askedAt = performance.now();
    const { body } = await line.send(jsonRequest('POST', configMaps, counter));
    acknowledge(ledger, { act: 'create', name: `counter-${id}`, askedAt, body });
  }
  line.close();
}
