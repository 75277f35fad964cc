import { ConfigError } from '../../../adapters/config/config-error.ts';
import { kubeconfigFlag, outputFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import { type ServerAccess, callKadmit } from '../../../adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { type Mapping, readMapping } from '../../../adapters/config/mapping.ts';
import { type JsonObject, asList, asObject, asString } from '../../../machinery/json/json.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, printDocument } from '../terminal/io.ts';

/**
 * Changes the mappings of a running server, `{ set: 'FROM=URL' }` or `{ remove: 'FROM' }`; resolves with all of them.
 * Rejects with ConfigError for a refusal.
 */
export async function requestMap(access: ServerAccess, change?: JsonObject): Promise<readonly Mapping[]> {
  const path = '/kadmit/v1/map';
  const text = await callKadmit(
    access,
    change === undefined ? { method: 'GET', path } : { method: 'POST', path, body: JSON.stringify(change) },
    'has no map',
  );
  return asList(asObject(JSON.parse(text))['map'])
    .map(asObject)
    .map(({ from, url, program }) => ({
      from: asString(from),
      url: asString(url),
      ...(typeof program === 'string' ? { program } : {}),
    }));
}

/** `kadmit map [FROM=URL...]`: where the Services and hosts of webhooks are routed; changes that while the server runs. */
export const mapCommand = defineCommand({
  name: 'map',
  group: 'Server',
  synopsis: ['[FLAGS]', 'FROM=URL... [FLAGS]', '--remove FROM [FLAGS]'],
  purpose: 'show or change where webhook Services are routed',
  details: [
    'FROM is NAMESPACE/SERVICE[:PORT], NAMESPACE/* for every Service there, * for every Service, or https://HOST[:PORT] for ' +
      'webhooks with a url. The most specific entry applies. A URL with the name of a Service, such as ' +
      'https://hooks.shop.svc, follows the entry of that Service.',
    'kadmit serve --map sets the same when the server starts.',
  ],
  flags: {
    remove: textFlag('remove', 'FROM', 'remove this entry'),
    output: outputFlag,
    kubeconfig: kubeconfigFlag,
  },
  positionals: { name: 'FROM=URL', complete: [{ type: 'nothing' }] },
  examples: ['map shop/hooks=http://127.0.0.1:8400', 'map --remove shop/hooks'],
  run: async ({ args, options: { remove, output, kubeconfig } }, io) => {
    for (const text of args) {
      const reading = readMapping(text);
      if (reading.outcome === 'wrong') throw new ConfigError(`${JSON.stringify(text)} ${reading.problem}`);
    }
    const access = await readKubeconfig(kubeconfig);
    for (const set of args) await requestMap(access, { set });
    if (remove !== '') await requestMap(access, { remove });
    const mappings = await requestMap(access);
    await printDocument(io, output, mappings, () => mapText(mappings));
    return exitCodes.fine;
  },
});

function mapText(mappings: readonly Mapping[]): string {
  if (mappings.length === 0) return 'no entries; add one with kadmit map NAMESPACE/SERVICE=URL';
  const width = Math.max(...mappings.map(({ from }) => from.length));
  return mappings
    .map(({ from, url, program }) => `${from.padEnd(width)}  ${url}${program === undefined ? '' : `  ${program}`}`)
    .join('\n');
}
