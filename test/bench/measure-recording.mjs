import { join } from 'node:path';
import { buildUnrecorded } from './build-unrecorded.mjs';
import { processorTime, runClient, startKadmit } from './processes.mjs';
import { median } from './table.mjs';

const connections = 16;
/** As many as traces are kept, so that each new one makes an old one go. */
const warmUp = 10_000;
const creates = 3000;
const rounds = 9;

/**
 * What recording adds to a create: traces, metrics, the journal and the times of plugins. The server and one built
 * without them are asked in turns, and what counts is the time that each keeps the processors busy.
 */
export async function measureRecording(certDir) {
  const flags = ['--ui-port', '-1'];
  const program = await buildUnrecorded(join(certDir, 'unrecorded'));
  const servers = [await startKadmit({ certDir, flags }), await startKadmit({ certDir, flags, program })];
  for (const server of servers) await load(server, 'warm', warmUp);
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push([await timeOf(servers[0], round), await timeOf(servers[1], round)]);
  }
  await Promise.all(servers.map((server) => server.stop()));
  const share = median(pairs.map(([recorded, bare]) => recorded / bare)) - 1;
  return [
    { what: 'a create, recorded', figure: `${median(pairs.map(([recorded]) => recorded)).toFixed(0)} µs` },
    { what: 'a create without recording', figure: `${median(pairs.map(([, bare]) => bare)).toFixed(0)} µs` },
    { what: 'recording adds', figure: `${(100 * share).toFixed(1)} %`, goal: '< 10 %', met: share < 0.1 },
  ];
}

/** Microseconds of processor time for each of the creates of a round. */
async function timeOf(server, round) {
  const before = processorTime(server);
  await load(server, `create-${round}`, creates);
  return (1000 * (processorTime(server) - before)) / creates;
}

const load = ({ port, ca, cert, key }, prefix, count) =>
  runClient('./load-client.mjs', { server: { port, ca, cert, key }, connections, count, prefix });
