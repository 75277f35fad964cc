import { get } from 'node:https';
import { jsonRequest, openLine } from './https-line.mjs';
import { startKadmit } from './processes.mjs';
import { median } from './table.mjs';

const pods = 10_000;
const rounds = 7;
const collection = '/api/v1/namespaces/default/pods';
const formats = [
  ['as JSON', 'application/json'],
  ['as a Table', 'application/json;as=Table;v=v1;g=meta.k8s.io'],
  ['as protobuf', 'application/vnd.kubernetes.protobuf'],
];

const pod = (index) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `pod-${index}`, labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx:1.27', ports: [{ containerPort: 80 }] }] },
});

/** From the request to the last byte of a list of many Pods. */
export async function measureLists(certDir) {
  const kadmit = await startKadmit({ certDir });
  let next = 0;
  const create = async () => {
    const line = openLine(kadmit);
    while (next < pods) {
      const { code, body } = await line.send(jsonRequest('POST', collection, pod((next += 1))));
      if (code >= 300) throw new Error(`${code}: ${body.toString()}`);
    }
    line.close();
  };
  await Promise.all(Array.from({ length: 8 }, create));
  const rows = [];
  for (const [form, accept] of formats) {
    const lists = [];
    for (let round = 0; round < rounds; round += 1) lists.push(await list(kadmit, accept));
    const ms = median(lists.map((one) => one.ms)).toFixed(0);
    rows.push({
      what: `list of ${pods.toLocaleString('en')} Pods ${form}`,
      figure: `${ms} ms, ${(lists[0].bytes / 2 ** 20).toFixed(1)} MiB`,
    });
  }
  await kadmit.stop();
  return rows;
}

function list({ port, ca, cert, key }, accept) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const asked = { host: '127.0.0.1', port, path: collection, ca, cert, key, agent: false, headers: { accept } };
    const request = get(asked, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('end', () => resolve({ ms: performance.now() - startedAt, bytes }));
    });
    request.on('error', reject);
  });
}
