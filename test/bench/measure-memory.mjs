import { setTimeout as sleep } from 'node:timers/promises';
import { residentMemory, runClient, startKadmit } from './processes.mjs';

const objects = 100_000;

/** Resident memory of a server without requests, and of one with many small objects. */
export async function measureMemory(certDir) {
  const kadmit = await startKadmit({ certDir });
  await sleep(2000);
  const idle = residentMemory(kadmit);
  const { port, ca, cert, key } = kadmit;
  const server = { port, ca, cert, key };
  await runClient('./load-client.mjs', { server, connections: 16, count: objects, prefix: 'kept' });
  await sleep(2000);
  const full = residentMemory(kadmit);
  await kadmit.stop();
  return [
    { what: 'memory, idle', figure: `${idle.toFixed(0)} MiB`, goal: '< 120 MiB', met: idle < 120 },
    { what: `memory with ${objects.toLocaleString('en')} ConfigMaps`, figure: `${full.toFixed(0)} MiB` },
  ];
}
