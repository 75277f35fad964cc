import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { Mapping } from '../../../adapters/config/mapping.ts';
import { callServer, messageIn, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';

/**
 * Changes where a running server calls webhooks, `{ set: 'FROM=URL' }` or `{ remove: 'FROM' }`; resolves with the list after
 * that. Rejects with ConfigError when the server refuses.
 */
export async function requestMap(access: ServerAccess, change?: JsonObject): Promise<readonly Mapping[]> {
  const path = '/kadmit/v1/map';
  const { code, text } = await callServer(
    access,
    change === undefined ? { method: 'GET', path } : { method: 'POST', path, body: JSON.stringify(change) },
  );
  if (code === 404) throw new ConfigError(`${access.url} has no map (${messageIn(text).trim()}): is it kadmit?`);
  if (code !== 200) throw new ConfigError(messageIn(text).trim());
  return asList(asObject(JSON.parse(text))['map'])
    .map(asObject)
    .map(({ from, url, program }) => ({
      from: asString(from),
      url: asString(url),
      ...(typeof program === 'string' ? { program } : {}),
    }));
}
