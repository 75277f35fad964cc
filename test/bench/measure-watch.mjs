import { setTimeout as sleep } from 'node:timers/promises';
import { runClient, startKadmit } from './processes.mjs';

const watchers = 100;
const perSecond = 1000;
const seconds = 5;

/** How long a change takes from its writer to the watchers, with many watchers and many writes. */
export async function measureWatch(certDir) {
  const kadmit = await startKadmit({ certDir });
  const { port, ca, cert, key } = kadmit;
  const server = { port, ca, cert, key };
  await runClient('./write-client.mjs', { server, perSecond, method: 'POST' });
  const few = await deliver(server, 10);
  const many = await deliver(server, watchers);
  await kadmit.stop();
  return [...toRows(few, 10), ...toRows(many, watchers)];
}

/** The writer starts after the watches and continues a little longer than they measure. */
async function deliver(server, count) {
  const delivered = runClient('./watch-client.mjs', { server, watchers: count, seconds });
  await sleep(500);
  const [watched, written] = await Promise.all([
    delivered,
    runClient('./write-client.mjs', { server, perSecond, seconds: seconds + 3 }),
  ]);
  return { ...watched, written: written.perSecond };
}

const toRows = ({ p50, p99, written, perSecond: events }, count) => [
  { what: `${count} watchers, events`, figure: `${events.toFixed(0)} /s of ${written.toFixed(0)} writes /s` },
  { what: `${count} watchers, write to event, p50`, figure: `${p50.toFixed(1)} ms` },
  count === watchers
    ? { what: `${count} watchers, p99`, figure: `${p99.toFixed(1)} ms`, goal: '< 20 ms', met: p99 < 20 }
    : { what: `${count} watchers, p99`, figure: `${p99.toFixed(1)} ms` },
];
