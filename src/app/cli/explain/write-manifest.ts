import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import {
  callServer,
  messageIn,
  type ServerAccess,
  type ServerAnswer,
} from '../../../adapters/config/kubeconfig/call-server.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import type { FileManifest } from '../read-manifests.ts';

/** Of a patch, only the names count. */
type WrittenObject = Pick<FileManifest, 'kind' | 'namespace' | 'name' | 'document' | 'place'>;

export interface ManifestWriteOptions {
  /** `apply`: a create or, for an existing object, a server-side apply. */
  readonly operation: 'apply' | 'create' | 'delete' | PatchOperation;
  readonly dryRun: boolean;
  readonly fieldManager: string;
  /** Of objects without one; default: that of the kubeconfig. */
  readonly namespace?: string;
  /** To write as this user. */
  readonly impersonate?: { readonly user: string; readonly groups: readonly string[] };
}

/** The object is the target of this patch. */
interface PatchOperation {
  readonly patchType: 'strategic' | 'merge' | 'json';
  readonly patch: JsonValue;
}

const patchTypes = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const;

/** Rejects with ConfigError for an unreachable server or an unserved kind. */
export function createManifestWriter(
  access: ServerAccess,
  options: ManifestWriteOptions,
): (manifest: WrittenObject) => Promise<ServerAnswer> {
  const known = new Map<string, Resource>();
  let definesKinds = false;
  return async (manifest) => {
    const kind = `${apiVersionOf(manifest.kind)} ${manifest.kind.kind}`;
    const resource = known.get(kind) ?? (await resourceOf(access, manifest, definesKinds));
    known.set(kind, resource);
    definesKinds ||= manifest.kind.kind === 'CustomResourceDefinition';
    return write(access, manifest, resource, options);
  };
}

async function write(
  access: ServerAccess,
  object: WrittenObject,
  resource: Resource,
  { operation, dryRun, fieldManager, impersonate, namespace }: ManifestWriteOptions,
): Promise<ServerAnswer> {
  const collection = collectionPath(object, resource, namespace ?? access.namespace);
  const path = `${collection}/${encodeURIComponent(object.name)}`;
  const query = `fieldManager=${fieldManager}&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
  const as = impersonate === undefined ? {} : { impersonate };
  if (typeof operation === 'object') {
    const { patchType, patch } = operation;
    const contentType = patchTypes[patchType];
    return callServer(access, {
      method: 'PATCH',
      path: `${path}?${query}`,
      body: writeJson(patch),
      contentType,
      ...as,
    });
  }
  if (operation === 'delete')
    return callServer(access, { method: 'DELETE', path: dryRun ? `${path}?dryRun=All` : path, ...as });
  const body = writeJson(object.document);
  if (operation === 'apply' && object.name !== '' && (await callServer(access, { method: 'GET', path })).code === 200) {
    const contentType = 'application/apply-patch+yaml';
    return callServer(access, { method: 'PATCH', path: `${path}?${query}&force=true`, body, contentType, ...as });
  }
  const contentType = 'application/json';
  return callServer(access, { method: 'POST', path: `${collection}?${query}`, body, contentType, ...as });
}

function collectionPath(
  { kind: { group, version }, namespace }: WrittenObject,
  { resource, namespaced }: Resource,
  defaultNamespace: string,
): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced
    ? `${root}/namespaces/${encodeURIComponent(namespace || defaultNamespace)}/${resource}`
    : `${root}/${resource}`;
}

interface Resource {
  readonly resource: string;
  readonly namespaced: boolean;
}

/** A definition is served a moment after it was written. */
const maxTries = 20;
const retryDelayMs = 100;

async function resourceOf(
  access: ServerAccess,
  { kind, place }: WrittenObject,
  definesKinds: boolean,
): Promise<Resource> {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  for (let tries = 1; ; tries += 1) {
    const answer = await callServer(access, { method: 'GET', path: root });
    if (answer.code !== 200 && answer.code !== 404) throw new ConfigError(messageIn(answer.text));
    const found = resourcesIn(answer).find(
      ({ name, kind: other }) => other === kind.kind && !asString(name).includes('/'),
    );
    if (found) return { resource: asString(found['name']), namespaced: found['namespaced'] === true };
    if (!definesKinds || tries === maxTries)
      throw new ConfigError(`${place}: the server has no kind ${kind.kind} in ${apiVersionOf(kind)}`);
    await sleep(retryDelayMs);
  }
}

function resourcesIn({ code, text }: ServerAnswer): readonly JsonObject[] {
  if (code !== 200) return [];
  const list: unknown = JSON.parse(text);
  return isJsonObject(list) ? asList(list['resources']).map(asObject) : [];
}
