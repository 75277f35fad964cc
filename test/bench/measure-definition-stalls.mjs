import { hostileDefinitions } from './hostile-definitions.mjs';
import { goalMs, send, startProbed, worstTurn } from './measure-stalls.mjs';

/**
 * The most processor time for which a definition, one of its objects or a document that tells of it keeps everybody else
 * waiting. Each case has a server of its own; CASE=part-of-a-name picks.
 */
export async function measureDefinitionStalls(certDir) {
  const rows = [];
  for (const [what, { before = [], requests }] of Object.entries(hostileDefinitions)) {
    if (!what.includes(process.env['CASE'] ?? '')) continue;
    const kadmit = await startProbed(certDir);
    for (const request of before) await send(kadmit, request);
    for (const request of requests) rows.push(await rowOf(kadmit, what, request));
    await kadmit.stop();
  }
  return rows;
}

async function rowOf(kadmit, what, request) {
  await worstTurn(kadmit);
  const code = await send(kadmit, request);
  const ms = await worstTurn(kadmit);
  const { method, path } = request;
  const shown = path.length > 60 ? `${path.slice(0, 57)}...` : path;
  return {
    what: `longest turn, ${what}: ${method} ${shown} (${code})`,
    figure: `${ms.toFixed(0)} ms`,
    goal: `${goalMs} ms`,
    met: ms <= goalMs,
  };
}
