import { runClient, startKadmit, startServer } from './processes.mjs';
import { median } from './table.mjs';

const connections = 16;
const seconds = 3;
const rounds = 3;

/** Creates per second next to a server that does nothing. Both run throughout and are asked in turns. */
export async function measureCreates(certDir) {
  const kadmit = await startKadmit({ certDir });
  const echo = await startServer('./echo-server.mjs', certDir);
  const load = ({ port, ca, cert, key }, prefix, time = seconds) =>
    runClient('./load-client.mjs', { server: { port, ca, cert, key }, connections, seconds: time, prefix });
  await load(echo, 'warm', 2);
  await load(kadmit, 'warm', 4);
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ echo: await load(echo, `create-${round}`), kadmit: await load(kadmit, `create-${round}`) });
  }
  await Promise.all([kadmit.stop(), echo.stop()]);
  const rate = (of) => median(pairs.map((pair) => pair[of].perSecond)).toFixed(0);
  const ratio = median(pairs.map((pair) => pair.kadmit.perSecond / pair.echo.perSecond));
  return [
    { what: `creates, ${connections} connections`, figure: `${rate('kadmit')} /s` },
    { what: 'the echo server, the same way', figure: `${rate('echo')} /s` },
    { what: 'creates to echoes', figure: ratio.toFixed(2), goal: '>= 0.40', met: ratio >= 0.4 },
  ];
}
