import { plainValue } from '../../../machinery/json/json-reader.ts';
import { readYaml } from '../../../machinery/yaml/read-yaml.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { readBoundedFile } from '../../../machinery/files/bounded-file.ts';
import { ConfigError } from '../config-error.ts';
import type { ServerAccess } from './server-access.ts';

/** Reads a kubeconfig that kadmit wrote: one cluster, one user, inline data. Throws ConfigError for a broken one. */
export function readOwnKubeconfig(path: string): ServerAccess {
  const reading = readYaml(readBoundedFile(path));
  if (reading.outcome === 'unreadable') throw new ConfigError(`${path}: ${reading.error}`);
  const config = asObject(plainValue(reading.value));
  const first = (list: JsonValue | undefined, field: string) => asObject(asObject(asList(list)[0])[field]);
  const cluster = first(config['clusters'], 'cluster');
  const user = first(config['users'], 'user');
  const url = asString(cluster['server']);
  if (!URL.canParse(url)) throw new ConfigError(`${path}: it names no server`);
  const text = (data: JsonValue | undefined): string | undefined =>
    typeof data === 'string' ? Buffer.from(data, 'base64').toString('utf8') : undefined;
  return {
    kubeconfig: path,
    url,
    ca: text(cluster['certificate-authority-data']),
    certificate: text(user['client-certificate-data']),
    key: text(user['client-key-data']),
    token: asString(user['token']) || undefined,
    serverName: undefined,
    insecure: false,
    namespace: 'default',
  };
}
