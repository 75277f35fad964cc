// Replaces ConfigMaps at an even rate over keep-alive connections; each says when it was sent, in microseconds.
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonRequest, openLine } from './https-line.mjs';

const { server, perSecond, seconds, method = 'PUT' } = JSON.parse(process.argv[2] ?? '{}');
const collection = '/api/v1/namespaces/default/configmaps';
const connections = 8;
const digits = 16;
const count = method === 'POST' ? 100 : perSecond * seconds;

const configMap = (index) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `watched-${index % 100}` },
  data: { sentAt: String(process.hrtime.bigint() / 1000n).padStart(digits, '0') },
});

let next = 0;
const startedAt = performance.now();

async function work() {
  const line = openLine(server);
  while (next < count) {
    const index = next;
    next += 1;
    const early = startedAt + (index * 1000) / perSecond - performance.now();
    if (early > 0) await sleep(early);
    const body = configMap(index);
    const path = method === 'POST' ? collection : `${collection}/${body.metadata.name}`;
    const { code, body: answer } = await line.send(jsonRequest(method, path, body));
    if (code >= 300) throw new Error(`${code}: ${answer.toString()}`);
  }
  line.close();
}

await Promise.all(Array.from({ length: connections }, work));
console.log(JSON.stringify({ perSecond: count / ((performance.now() - startedAt) / 1000) }));
