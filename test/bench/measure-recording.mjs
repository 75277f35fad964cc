import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runClient, startKadmit } from './processes.mjs';

const connections = 16;
const warmUpSeconds = 2;
const seconds = 4;

/** What recording costs: the share of the server's working time that goes into it while it creates objects. */
export async function measureRecording(certDir) {
  const profiles = mkdtempSync(join(certDir, 'profile-'));
  const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=500'];
  const kadmit = await startKadmit({ certDir, nodeFlags, flags: ['--ui-port', '-1'] });
  const { port, ca, cert, key } = kadmit;
  const load = (prefix, time) =>
    runClient('./load-client.mjs', { server: { port, ca, cert, key }, connections, seconds: time, prefix });
  await load('warm', warmUpSeconds);
  await load('recorded', seconds);
  await kadmit.stop();
  const [file] = readdirSync(profiles);
  const share = shareOf(JSON.parse(readFileSync(join(profiles, file ?? ''), 'utf8')), 'record');
  return [
    {
      what: 'recording, share of the time of a create',
      figure: `${(100 * share).toFixed(1)} %`,
      goal: '< 10 %',
      met: share < 0.1,
    },
  ];
}

/** How much of the time in which the process did something it was in functions of this name, or called by them. */
function shareOf({ nodes, samples, timeDeltas }, name) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const inside = new Set();
  const enter = (id) => {
    inside.add(id);
    for (const child of byId.get(id)?.children ?? []) enter(child);
  };
  for (const { id, callFrame } of nodes) if (callFrame.functionName === name && !inside.has(id)) enter(id);
  let within = 0;
  let all = 0;
  for (const [at, id] of samples.entries()) {
    if (['(idle)', '(program)'].includes(byId.get(id)?.callFrame.functionName)) continue;
    all += timeDeltas[at];
    if (inside.has(id)) within += timeDeltas[at];
  }
  return within / all;
}
