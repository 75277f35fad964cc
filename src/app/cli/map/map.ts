import { ConfigError } from '../../../adapters/config/config-error.ts';
import { readMapping } from '../../../adapters/config/mapping.ts';
import type { Mapping } from '../../../adapters/config/mapping.ts';
import { flagLines, parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { askMap } from './ask-map.ts';
import { mapFlags } from './map-options.ts';
import type { MapOptions } from './map-options.ts';

/** `kadmit map [FROM=URL...]`: where the Services and hosts of webhooks are led to, and how to change that while the server runs. */
export async function map(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseFlags(mapFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(help());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'map', parsed.problem);
  const { options, rest } = parsed;
  const wrong = rest.flatMap((text) => {
    const reading = readMapping(text);
    return reading.outcome === 'wrong' ? [`${JSON.stringify(text)} ${reading.problem}`] : [];
  });
  if (wrong[0] !== undefined) return usageError(io, 'map', wrong[0]);
  try {
    const access = await readKubeconfig(options.kubeconfig);
    await print(await change(access, rest, options), options, io);
    return exitCodes.fine;
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'map', error.message);
    throw error;
  }
}

/** Does what is asked for, one after the other; the list as it is afterwards. */
async function change(
  access: ServerAccess,
  added: readonly string[],
  { remove }: Pick<MapOptions, 'remove'>,
): Promise<readonly Mapping[]> {
  const wishes = [...added.map((set) => ({ set })), ...(remove === '' ? [] : [{ remove }])];
  for (const wish of wishes) await askMap(access, wish);
  return askMap(access);
}

async function print(mappings: readonly Mapping[], { output }: MapOptions, io: Io): Promise<void> {
  if (output === 'json') return io.out(JSON.stringify(mappings, null, 2));
  if (output === 'yaml') return io.out((await import('yaml')).stringify(mappings).trimEnd());
  if (mappings.length === 0) return io.out('nothing is mapped; kadmit map NAMESPACE/SERVICE=URL does it');
  const width = Math.max(...mappings.map(({ from }) => from.length));
  for (const { from, url, program } of mappings)
    io.out(`${from.padEnd(width)}  ${url}${program === undefined ? '' : `  ${program}`}`);
  return undefined;
}

const help = (): string =>
  [
    'usage: kadmit map [FLAGS]',
    '       kadmit map FROM=URL... [FLAGS]',
    '       kadmit map --remove FROM [FLAGS]',
    '',
    'Where the webhooks that a running server calls really listen; kadmit serve --map says it from the beginning. FROM is',
    'NAMESPACE/SERVICE[:PORT], NAMESPACE/* for every Service there, * for every Service, or https://HOST[:PORT] for webhooks',
    'with a url. The narrowest counts. A url that names a Service, such as https://hooks.shop.svc, goes where that goes.',
    '',
    ...flagLines(mapFlags),
  ].join('\n');
