import { jsonRequest, openLine } from './https-line.mjs';

const configMaps = '/api/v1/namespaces/default/configmaps';
const keepLast = 10;
const counters = 5;

/** The label of a write, which selects one of the faulty webhooks; one write in fifty each. */
const fates = new Map([
  [7, 'fail'],
  [23, 'hang'],
  [41, 'reset'],
]);
const refusing = new Set(['fail', 'hang']);

/**
 * One client: creates, checks, deletes, increments counters and sometimes disconnects in the middle. Records in `ledger` what the
 * server has acknowledged; stops when `until` returns true.
 */
export async function runClient({ server, id, until, ledger, random }) {
  let line = openLine(server);
  const mine = [];
  for (let step = 0; !until(); step += 1) {
    const name = `c${id}-${step}`;
    if (id % 10 === 0 && step % 20 === 10) {
      line = await disconnect({ server, line, name, ledger, random });
      continue;
    }
    await create({ line, name, step, ledger, mine });
    if (mine.length > keepLast) await checkAndDelete({ line, name: mine.shift(), ledger });
    if (step % 10 === 0) await increment({ line, name: `counter-${id % counters}`, ledger });
  }
  line.close();
}

const configMap = (name, fate) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', labels: { soak: 'yes', fate } },
  data: { sent: name },
});

async function create({ line, name, step, ledger, mine }) {
  const fate = fates.get(step % 50) ?? 'fine';
  const sentAt = performance.now();
  const { code, body } = await line.send(jsonRequest('POST', configMaps, configMap(name, fate)));
  ledger.answers += 1;
  if (code === 201 && !refusing.has(fate)) {
    ledger.created.add(name);
    acknowledge(ledger, { act: 'create', name, sentAt, body });
    mine.push(name);
  } else if (code >= 500 && refusing.has(fate)) {
    ledger.refused.add(name);
  } else {
    ledger.faults.push(`create ${name} (${fate}): ${code} ${body.toString().slice(0, 300)}`);
  }
}

/** The outcome of this write is unknown. */
async function disconnect({ server, line, name, ledger, random }) {
  ledger.unknown.add(name);
  ledger.history.leaveOpen(name);
  const sent = line.send(jsonRequest('POST', configMaps, configMap(name, 'fine'))).catch(() => undefined);
  await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, random() * 10))]);
  line.close();
  return openLine(server);
}

async function checkAndDelete({ line, name, ledger }) {
  const readAt = performance.now();
  const read = await line.send(jsonRequest('GET', `${configMaps}/${name}`));
  if (read.code === 200) acknowledge(ledger, { act: 'read', name, sentAt: readAt, body: read.body });
  if (read.code !== 200 || !isComplete(JSON.parse(read.body.toString()))) {
    ledger.faults.push(`${name} was acknowledged and reads: ${read.code} ${read.body.toString().slice(0, 300)}`);
  }
  const sentAt = performance.now();
  const { code } = await line.send(jsonRequest('DELETE', `${configMaps}/${name}`));
  if (code === 200) {
    ledger.deleted.add(name);
    ledger.history.acknowledge({ key: name, act: 'delete', sentAt, receivedAt: performance.now() });
  } else ledger.faults.push(`delete ${name}: ${code}`);
}

/** Whether it has the value sent and what each mutating webhook added. */
export const isComplete = ({ metadata: { name }, data }) =>
  data.sent === name && [1, 2, 3, 4, 5].every((webhook) => data[`m${webhook}`] === name);

/** Reads a counter and writes the next number, with the revision that was read. */
async function increment({ line, name, ledger }) {
  const readAt = performance.now();
  const read = await line.send(jsonRequest('GET', `${configMaps}/${name}`));
  acknowledge(ledger, { act: 'read', name, sentAt: readAt, body: read.body });
  const counter = JSON.parse(read.body.toString());
  const data = { count: String(Number(counter.data.count) + 1) };
  const sentAt = performance.now();
  const { code, body } = await line.send(jsonRequest('PUT', `${configMaps}/${name}`, { ...counter, data }));
  if (code === 200) {
    ledger.counts.set(name, (ledger.counts.get(name) ?? 0) + 1);
    acknowledge(ledger, { act: 'update', name, sentAt, body });
  } else if (code !== 409) ledger.faults.push(`count up ${name}: ${code}`);
}

/** Records a response that contains the object. */
function acknowledge(ledger, { act, name, sentAt, body }) {
  const { metadata, data } = JSON.parse(body.toString());
  const receivedAt = performance.now();
  const revision = Number(metadata.resourceVersion);
  ledger.history.acknowledge({ key: name, act, revision, value: valueOf(data), sentAt, receivedAt });
}

/** Identifies a state of an object. */
export const valueOf = ({ sent, count }) => sent ?? count;

/** Makes the counters that the clients share. */
export async function createCounters(server, ledger) {
  const line = openLine(server);
  for (let id = 0; id < counters; id += 1) {
    const counter = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `counter-${id}` }, data: { count: '0' } };
    const sentAt = performance.now();
    const { body } = await line.send(jsonRequest('POST', configMaps, counter));
    acknowledge(ledger, { act: 'create', name: `counter-${id}`, sentAt, body });
  }
  line.close();
}
