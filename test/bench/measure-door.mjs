import { jsonRequest, openLine } from './https-line.mjs';
import { configMap } from './objects.mjs';
import { processorTime, startKadmit, startServer } from './processes.mjs';
import { median } from './table.mjs';

const [warm, turns, each, connections] = [1500, 9, 600, 8];

/** Processor time of a request that does nothing, next to Node's own server and to fastify, and of one that does something. */
export async function measureDoor(certDir) {
  const kadmit = await startKadmit({ certDir, flags: ['--ui-port', '-1'] });
  const node = await startServer('./bare-echo-server.mjs', certDir);
  const fastify = await startServer('./echo-server.mjs', certDir);
  let made = 0;
  const path = '/api/v1/namespaces/default/configmaps';
  const create = () => jsonRequest('POST', path, configMap(`o-${(made += 1)}`));
  const get = (what) => () => jsonRequest('GET', what);
  const rowOf = (what, server, make) => ({ what, server, make, lines: open(server), times: [] });
  const rows = [
    rowOf("an echo of Node's https", node, create),
    rowOf('an echo of fastify', fastify, create),
    rowOf('/livez', kadmit, get('/livez')),
    rowOf('a get', kadmit, get('/api/v1/namespaces/default')),
    rowOf('a create', kadmit, create),
  ];
  for (const row of rows) await send(row, warm);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const row of rows) {
      const before = processorTime(row.server);
      await send(row, each);
      row.times.push((1000 * (processorTime(row.server) - before)) / each);
    }
  }
  for (const { lines } of rows) for (const line of lines) line.close();
  await Promise.all([kadmit.stop(), node.stop(), fastify.stop()]);
  const least = median(rows[0].times);
  return rows.map(({ what, times }) => {
    const figure = median(times);
    return { what: `${what}, processor`, figure: `${figure.toFixed(0)} µs, ${(figure / least).toFixed(1)} x` };
  });
}

const open = (server) => Array.from({ length: connections }, () => openLine(server));

async function send({ lines, make }, count) {
  let left = count;
  const work = async (line) => {
    while (left > 0) {
      left -= 1;
      const { code, body } = await line.send(make());
      if (code >= 300) throw new Error(`${code}: ${body.toString()}`);
    }
  };
  await Promise.all(lines.map(work));
}
