// Creates ConfigMaps or Pods over keep-alive connections, for a time or up to a number, and prints how many were created and how fast.
import { openLine, jsonRequest } from './https-line.mjs';
import { pod } from './objects.mjs';

const {
  server,
  connections,
  seconds = Infinity,
  count = Infinity,
  prefix,
  kind = 'configmaps',
} = JSON.parse(process.argv[2] ?? '{}');

const until = performance.now() + seconds * 1000;
const times = [];
let started = 0;

const make = {
  configmaps: (name) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
    data: { colour: 'blue', 'game.properties': 'lives=3\nenemies=aliens\nsecret.code=UUDDLRLR\n' },
  }),
  pods: pod,
}[kind];

async function work() {
  const line = openLine(server);
  while (started < count && performance.now() < until) {
    const bytes = jsonRequest('POST', `/api/v1/namespaces/default/${kind}`, make(`${prefix}-${(started += 1)}`));
    const sentAt = performance.now();
    const { code, body } = await line.send(bytes);
    if (code !== 201) throw new Error(`${code}: ${body.toString()}`);
    times.push(performance.now() - sentAt);
  }
  line.close();
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: connections }, work));
const elapsed = (performance.now() - startedAt) / 1000;
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor((times.length - 1) * share)];
console.log(JSON.stringify({ created: times.length, perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99) }));
