import { fileURLToPath } from 'node:url';
import { hostileBodies } from './hostile-bodies.mjs';
import { openLine } from './https-line.mjs';
import { startKadmit } from './processes.mjs';

const probe = fileURLToPath(new URL('./loop-probe.mjs', import.meta.url));
export const goalMs = 50;
const { beforehand, cases: all } = hostileBodies(Number(process.env['SIZE'] ?? 3 * 1024 * 1024) - 4096);
const cases = Object.entries(all).filter(([name]) => name.includes(process.env['CASE'] ?? ''));

/** The most processor time for which one request of up to 3 MiB keeps everybody else waiting. CASE=part-of-a-name picks, SIZE is that of the bodies. */
export async function measureStalls(certDir) {
  const rows = [];
  let kadmit = await start(certDir);
  for (const [what, requests] of cases) {
    await worstTurn(kadmit);
    const codes = [];
    for (const request of requests()) codes.push(await send(kadmit, request));
    const ms = await worstTurn(kadmit);
    for (const request of requests()) await remove(kadmit, request);
    rows.push({
      what: `longest turn, ${what} (${codes.join(' ')})`,
      figure: `${ms.toFixed(0)} ms`,
      goal: `${goalMs} ms`,
      met: ms <= goalMs,
    });
    if (process.env['CASE'] !== undefined) process.stderr.write(`${what} ${codes.join(' ')}: ${ms.toFixed(0)} ms\n`);
    if (codes.every((code) => Number(code) > 0)) continue;
    await kadmit.stop();
    kadmit = await start(certDir);
  }
  await kadmit.stop();
  return rows;
}

async function start(certDir) {
  const kadmit = await startProbed(certDir);
  for (const request of beforehand) await send(kadmit, request);
  return kadmit;
}

/** A server that can be asked for its worst turn. */
export const startProbed = (certDir) =>
  startKadmit({ certDir, nodeFlags: ['--import', probe], ipc: true, flags: ['--ui-port', '-1'] });

/** What a case has left behind is no matter of the next one. */
async function remove(kadmit, { method, path, body }) {
  const name = method === 'POST' ? body.metadata?.name : undefined;
  if (name)
    await send(kadmit, {
      method: 'DELETE',
      path: `${path.split('?')[0]}/${name}`,
      type: 'application/json',
      body: '{"gracePeriodSeconds":0}',
    });
}

/** The milliseconds of processor time of the longest turn since it was asked last. */
export function worstTurn({ child }) {
  return new Promise((resolve) => {
    child.once('message', ({ worst }) => resolve(worst));
    child.send('worst turn');
  });
}

/** Resolves to the answer's code, or to what became of the connection instead. */
export async function send(
  kadmit,
  { method, path, type = 'application/json', accept = 'application/json', body = '' },
) {
  const line = openLine(kadmit);
  const text = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nAccept: ${accept}\r\nContent-Type: ${type}\r\nContent-Length: ${text.length}\r\n\r\n`;
  try {
    const { code } = await line.send(Buffer.concat([Buffer.from(head), text]));
    return String(code);
  } catch (error) {
    return String(error.message);
  } finally {
    line.close();
  }
}
