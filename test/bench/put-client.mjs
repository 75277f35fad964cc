// Puts what a created ConfigMap is into etcd, so many at a time, and prints how many it took in a second.
import { register } from 'node:module';

register(new URL('../tools/typescript-hooks.mjs', import.meta.url));
const { connectToEtcd } = await import('../../src/adapters/storage/etcd/connection.ts');

const { url, connections, seconds } = JSON.parse(process.argv[2] ?? '{}');
const connection = connectToEtcd({ servers: [url] });
const value = Buffer.from(
  JSON.stringify({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: {
      name: 'a',
      namespace: 'default',
      uid: 'x'.repeat(36),
      creationTimestamp: 'x'.repeat(20),
      managedFields: ['x'.repeat(250)],
    },
    data: { colour: 'blue', 'game.properties': 'lives=3\nenemies=aliens\nsecret.code=UUDDLRLR\n' },
  }),
);
let put = 0;
const startedAt = performance.now();

async function work() {
  while (performance.now() < startedAt + seconds * 1000) {
    const key = Buffer.from(`/bare/configmaps/default/${process.pid}-${(put += 1)}`);
    await connection.call('TxnRequest', { success: [{ put: { key, value } }] });
  }
}

await Promise.all(Array.from({ length: connections }, work));
const perSecond = put / ((performance.now() - startedAt) / 1000);
connection.close();
console.log(JSON.stringify({ perSecond }));
