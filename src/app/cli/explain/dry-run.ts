import { ConfigError } from '../../../adapters/config/config-error.ts';
import {
  callServer,
  messageIn,
  type ServerAccess,
  type ServerAnswer,
} from '../../../adapters/config/kubeconfig/call-server.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import type { FileManifest } from '../read-manifests.ts';

const query = 'dryRun=All&fieldManager=kadmit-explain&fieldValidation=Strict';

/**
 * Sends manifests as dry runs: as a create or, for an existing object, as a server-side apply.
 * Rejects with ConfigError for an unreachable server or an unserved kind.
 */
export function createDryRun(access: ServerAccess): (manifest: FileManifest) => Promise<ServerAnswer> {
  const known = new Map<string, Resource>();
  return async (manifest) => {
    const kind = `${apiVersionOf(manifest.kind)} ${manifest.kind.kind}`;
    const resource = known.get(kind) ?? (await resourceOf(access, manifest));
    known.set(kind, resource);
    return sendDryRun(access, manifest, resource);
  };
}

async function sendDryRun(
  access: ServerAccess,
  manifest: FileManifest,
  { resource, namespaced }: Resource,
): Promise<ServerAnswer> {
  const { group, version } = manifest.kind;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const namespace = manifest.namespace || access.namespace;
  const collection = namespaced
    ? `${root}/namespaces/${encodeURIComponent(namespace)}/${resource}`
    : `${root}/${resource}`;
  const path = `${collection}/${encodeURIComponent(manifest.name)}`;
  const body = writeJson(manifest.document);
  if (manifest.name !== '' && (await callServer(access, { method: 'GET', path })).code === 200) {
    const contentType = 'application/apply-patch+yaml';
    return callServer(access, { method: 'PATCH', path: `${path}?${query}&force=true`, body, contentType });
  }
  return callServer(access, { method: 'POST', path: `${collection}?${query}`, body, contentType: 'application/json' });
}

interface Resource {
  readonly resource: string;
  readonly namespaced: boolean;
}

async function resourceOf(access: ServerAccess, { kind, place }: FileManifest): Promise<Resource> {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const answer = await callServer(access, { method: 'GET', path: root });
  if (answer.code !== 200 && answer.code !== 404) throw new ConfigError(messageIn(answer.text));
  const found = resourcesIn(answer).find(
    ({ name, kind: other }) => other === kind.kind && !asString(name).includes('/'),
  );
  if (found === undefined) {
    throw new ConfigError(`${place}: the server has no kind ${kind.kind} in ${apiVersionOf(kind)}`);
  }
  return { resource: asString(found['name']), namespaced: found['namespaced'] === true };
}

function resourcesIn({ code, text }: ServerAnswer): readonly JsonObject[] {
  if (code !== 200) return [];
  const list: unknown = JSON.parse(text);
  return isJsonObject(list) ? asList(list['resources']).map(asObject) : [];
}
