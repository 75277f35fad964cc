import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { callServer, type ServerAccess, type ServerAnswer } from '../../../adapters/config/kubeconfig/call-server.ts';
import { fetchResources, type KnownResource } from '../../../adapters/config/kubeconfig/named-resource.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import { collectionOf } from '../../../testing/record-replay/snapshot/write-object.ts';
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
  let served: readonly KnownResource[] = [];
  let definesKinds = false;
  const resourceOf = async ({ kind, place }: WrittenObject): Promise<KnownResource> => {
    for (let tries = 0; ; tries += 1) {
      const found = served.find(
        (one) => one.kind === kind.kind && one.group === kind.group && one.version === kind.version,
      );
      if (found) return found;
      if (tries > (definesKinds ? maxTries : 0))
        throw new ConfigError(`${place}: the server has no kind ${kind.kind} in ${apiVersionOf(kind)}`);
      if (tries > 0) await sleep(retryDelayMs);
      served = await fetchResources(access);
    }
  };
  return async (manifest) => {
    const resource = await resourceOf(manifest);
    definesKinds ||= manifest.kind.kind === 'CustomResourceDefinition';
    return write(access, manifest, resource, options);
  };
}

/** A definition is served a moment after it was written. */
const maxTries = 20;
const retryDelayMs = 100;

async function write(
  access: ServerAccess,
  object: WrittenObject,
  resource: KnownResource,
  { operation, dryRun, fieldManager, impersonate, namespace }: ManifestWriteOptions,
): Promise<ServerAnswer> {
  const collection = collectionOf(resource, object.namespace || (namespace ?? access.namespace));
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
