// Creates `count` ConfigMaps of a KiB and as many Pods, over keep-alive connections.
import { jsonRequest, openLine } from './https-line.mjs';

const { server, count, connections = 16 } = JSON.parse(process.argv[2] ?? '{}');
const path = (plural) => `/api/v1/namespaces/default/${plural}`;
const objects = (index) => [
  [
    'configmaps',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `filled-${index}` }, data: { text: 'x'.repeat(1024) } },
  ],
  [
    'pods',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `filled-${index}`, labels: { app: `app-${index % 100}` } },
      spec: {
        automountServiceAccountToken: false,
        containers: [{ name: 'main', image: 'registry.example.com/main:1' }],
      },
    },
  ],
];

let next = 0;
async function work() {
  const line = openLine(server);
  while (next < count) {
    for (const [plural, object] of objects((next += 1))) {
      const { code, body } = await line.send(jsonRequest('POST', path(plural), object));
      if (code !== 201) throw new Error(`${code}: ${body.toString()}`);
    }
  }
  line.close();
}

await Promise.all(Array.from({ length: connections }, work));
console.log(JSON.stringify({ created: 2 * count }));
