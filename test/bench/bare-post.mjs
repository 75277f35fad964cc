// POSTs an AdmissionReview, always the same text, with undici and nothing else: what a webhook call costs at the least.
import { Pool } from 'undici';

const { server, connections, seconds, review } = JSON.parse(process.argv[2] ?? '{}');

const pool = new Pool(`https://127.0.0.1:${server.port}`, { connections, connect: { ca: server.ca } });
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

const used = process.cpuUsage();
const startedAt = performance.now();
await Promise.all(Array.from({ length: connections }, work));
const elapsed = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(used);
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor((times.length - 1) * share)];
const processor = (user + system) / 1000 / times.length;
console.log(JSON.stringify({ perSecond: times.length / elapsed, processor, p50: at(0.5), p99: at(0.99) }));
await pool.close();
