import { ask } from './https-line.mjs';
import { processorTime, runClient, startKadmit } from './processes.mjs';
import { median } from './table.mjs';

const connections = 16;
const [creates, rounds] = [400, 3];
const [room, asked] = [200, 400];

/** What a quota adds to the processor time of a create, and whether 16 clients at once keep to it. */
export async function measureQuota(certDir) {
  const kadmit = await startKadmit({ certDir, flags: ['--ui-port', '-1'] });
  const { port, ca, cert, key } = kadmit;
  const load = (namespace, prefix, count) =>
    runClient('./load-client.mjs', { server: { port, ca, cert, key }, connections, namespace, prefix, count });
  const costOf = async (namespace, prefix) => {
    const before = processorTime(kadmit);
    await load(namespace, prefix, creates);
    return (processorTime(kadmit) - before) / creates;
  };
  try {
    for (const [name, hard] of [['free'], ['bound', 1_000_000], ['small', room]])
      await makeNamespace(kadmit, name, hard);
    const ratios = [];
    for (let round = 0; round <= rounds; round += 1) {
      const [without, under] = [await costOf('free', `r${round}`), await costOf('bound', `r${round}`)];
      // The first round only warms up.
      if (round > 0) ratios.push(under / without);
    }
    const { created, refused } = await load('small', 'one', asked);
    const ratio = median(ratios);
    return [
      { what: 'a create under a quota, to one without', figure: ratio.toFixed(2), goal: '<= 1.30', met: ratio <= 1.3 },
      {
        what: `${connections} clients and a quota of ${room}: created of ${asked}`,
        figure: `${created} (${refused} refused)`,
        goal: String(room),
        met: created === room,
      },
    ];
  } finally {
    await kadmit.stop();
  }
}

/** With a quota of so many ConfigMaps, besides the one that every namespace has. */
async function makeNamespace(server, name, hard) {
  await ask(server, 'POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const own = `/api/v1/namespaces/${name}`;
  await until(async () => (await ask(server, 'GET', `${own}/configmaps`)).items.length > 0);
  if (hard === undefined) return;
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' } };
  const spec = { hard: { 'count/configmaps': String(hard + 1) } };
  await ask(server, 'POST', `${own}/resourcequotas`, { ...quota, spec });
  await until(async () => (await ask(server, 'GET', `${own}/resourcequotas/q`)).status?.used);
}

async function until(isSo) {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
