import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { buildUnrecorded } from './build-unrecorded.mjs';
import { processorTime, runClient, startKadmit } from './processes.mjs';
import { median } from './table.mjs';

/** As many as traces are kept, so that each new one makes an old one go. */
const warmUp = 2_000;
const creates = 2500;
const rounds = 4;
/** What a process costs depends a little on its luck with memory, so there are several of each kind. */
const pairsOfServers = 3;

/**
 * What recording adds to a create: traces, metrics, the journal and the times of plugins. The server and one built
 * without them are asked in turns: how long a create takes, one at a time, and how long it keeps the processors busy.
 */
export async function measureRecording(certDir) {
  const program = await buildUnrecorded(join(mkdtempSync(join(certDir, 'unrecorded-')), 'build'));
  const turns = [];
  for (let pair = 0; pair < pairsOfServers; pair += 1) turns.push(...(await measurePair(certDir, program)));
  const of = (server, what) => median(turns.map((turn) => turn[server][what])).toFixed(0);
  const added = (what) => median(turns.map(({ recorded, bare }) => recorded[what] / bare[what])) - 1;
  const share = added('time');
  return [
    { what: 'a create, one at a time', figure: `${of('recorded', 'time')} µs` },
    { what: 'a create without recording', figure: `${of('bare', 'time')} µs` },
    { what: 'recording adds', figure: percent(share), goal: '< 10 %', met: share < 0.1 },
    { what: 'recording adds to its processor time', figure: percent(added('processor')) },
  ];
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;

async function measurePair(certDir, program) {
  const flags = ['--ui-port', '-1'];
  const recorded = await startKadmit({ certDir, flags });
  const bare = await startKadmit({ certDir, flags, program });
  for (const server of [recorded, bare]) await load(server, { prefix: 'warm', count: warmUp, connections: 16 });
  const turns = [];
  for (let round = 0; round < rounds; round += 1) {
    turns.push({ recorded: await costOf(recorded, round), bare: await costOf(bare, round) });
  }
  await Promise.all([recorded.stop(), bare.stop()]);
  return turns;
}

/** Of a create: microseconds one at a time, and microseconds of processor time with 16 connections. */
async function costOf(server, round) {
  const { perSecond } = await load(server, { prefix: `one-${round}`, count: creates, connections: 1 });
  const before = processorTime(server);
  await load(server, { prefix: `many-${round}`, count: creates, connections: 16 });
  return { time: 1e6 / perSecond, processor: (1000 * (processorTime(server) - before)) / creates };
}

const load = ({ port, ca, cert, key }, settings) =>
  runClient('./load-client.mjs', { server: { port, ca, cert, key }, ...settings });
