import { errorText } from '../../machinery/error-text.ts';
import { parseApiVersion } from '../../machinery/meta/gvk.ts';
import { asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import { bigintAsText } from '../../machinery/json/bigint-replacer.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { LoadPorts, LoadTarget } from './run-load.ts';
import { discover, resourceFor } from '../scenario/target/discovery.ts';
import { createHttpsClient } from '../scenario/target/https-client.ts';
import type { ServerAccess } from '../../adapters/config/kubeconfig/server-access.ts';

/** The server that a load is put on. */
export interface LoadServer {
  /** Where these objects would be created. Rejects with ConfigError for a kind that is not served. */
  readonly targetsOf: (objects: readonly JsonObject[]) => Promise<readonly LoadTarget[]>;
  readonly send: LoadPorts['send'];
  /** Its metrics; undefined when it shows none to this user. */
  readonly metrics: () => Promise<string | undefined>;
  readonly close: () => void;
}

export function connectLoadServer(access: ServerAccess): LoadServer {
  const client = createHttpsClient(access);
  const headers = { 'user-agent': 'kadmit-load', accept: 'application/json' };
  const get = async (path: string, accept = 'application/json') => {
    try {
      return await client.send({ method: 'GET', path, headers: { ...headers, accept }, body: undefined });
    } catch (error) {
      throw new ConfigError(`${access.kubeconfig}: ${errorText(error)}`);
    }
  };
  return {
    targetsOf: async (objects) => {
      const resources = await discover(async (path, accept) => {
        const { code, text } = await get(path, accept);
        if (code === 401 || code === 403)
          throw new ConfigError(`${access.url} refuses ${path} with ${code}: ${messageOf(text)}`);
        return code === 200 ? objectOf(text) : {};
      });
      return objects.map((object) => {
        const version = asString(object['apiVersion']);
        const gvk = { ...parseApiVersion(version), kind: asString(object['kind']) };
        const resource = resourceFor(resources, gvk);
        if (resource === undefined)
          throw new ConfigError(`${access.url} serves no ${gvk.kind} in version ${JSON.stringify(version)}`);
        const root = gvk.group === '' ? `/api/${gvk.version}` : `/apis/${gvk.group}/${gvk.version}`;
        const namespace = asString(asObject(object['metadata'])['namespace']) || access.namespace;
        return {
          object,
          collection: `${root}${resource.namespaced ? `/namespaces/${namespace}` : ''}/${resource.resource}`,
        };
      });
    },
    send: async ({ method, path, body, contentType = 'application/json' }) => {
      const sent = body === undefined ? {} : { 'content-type': contentType };
      const text = body === undefined ? undefined : JSON.stringify(body, bigintAsText);
      try {
        const answer = await client.send({ method, path, headers: { ...headers, ...sent }, body: text });
        const isRead = answer.code >= 400 || method === 'GET';
        return { code: answer.code, body: isRead ? objectOf(answer.text) : {} };
      } catch (error) {
        return { code: 0, body: { message: errorText(error) } };
      }
    },
    metrics: async () => {
      const { code, text } = await get('/metrics', 'text/plain');
      return code === 200 ? text : undefined;
    },
    close: client.close,
  };
}

function objectOf(text: string): JsonObject {
  const reading = readJson(text);
  return reading.outcome === 'read' ? asObject(plainValue(reading.json.value)) : {};
}

const messageOf = (text: string): string => asString(objectOf(text)['message']) || text.slice(0, 200);
