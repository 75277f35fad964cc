import { append, asList, asObject, asString, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { callServer, messageIn, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';

/**
 * The objects at these paths, those of lists one by one; what is not there is left out. Throws ConfigError when the server
 * cannot be reached or refuses.
 */
export async function fetchObjects(access: ServerAccess, paths: readonly string[]): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (const path of paths) {
    const { code, text } = await callServer(access, { method: 'GET', path });
    if (code === 404) continue;
    if (code !== 200) throw new ConfigError(`${path}: ${messageIn(text).trim()}`);
    append(found, objectsIn(JSON.parse(text)));
  }
  return found;
}

/** The items of a list name no kind of their own. */
function objectsIn(value: unknown): readonly JsonObject[] {
  if (!isJsonObject(value)) return [];
  const { apiVersion, kind, items } = value;
  if (items === undefined) return [value];
  const about = { apiVersion, kind: asString(kind).replace(/List$/, '') };
  return asList(items).map((item) => ({ ...about, ...asObject(item) }));
}
