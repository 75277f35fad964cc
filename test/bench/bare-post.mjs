// POSTs an AdmissionReview with undici and nothing else: what a webhook call costs at the least.
import { Pool } from 'undici';

const { server, connections, seconds } = JSON.parse(process.argv[2] ?? '{}');

const pool = new Pool(`https://127.0.0.1:${server.port}`, { connections, connect: { ca: server.ca } });
const review = JSON.stringify({
  kind: 'AdmissionReview',
  apiVersion: 'admission.k8s.io/v1',
  request: {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
    requestResource: { group: '', version: 'v1', resource: 'configmaps' },
    name: 'bare-1',
    namespace: 'default',
    operation: 'CREATE',
    userInfo: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
    object: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'bare-1', namespace: 'default' },
      data: { colour: 'blue', 'game.properties': 'lives=3\nenemies=aliens\nsecret.code=UUDDLRLR\n' },
    },
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  },
});

const until = performance.now() + seconds * 1000;
const times = [];

async function work() {
  while (performance.now() < until) {
    const sentAt = performance.now();
    const { body } = await pool.request({
      method: 'POST',
      path: '/mutate?timeout=10s',
      headers: { 'content-type': 'application/json' },
      body: review,
    });
    await body.json();
    times.push(performance.now() - sentAt);
  }
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: connections }, work));
const elapsed = (performance.now() - startedAt) / 1000;
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor((times.length - 1) * share)];
console.log(JSON.stringify({ perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99) }));
await pool.close();
