import { apiVersionOf, parseApiVersion } from '../../machinery/meta/gvk.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { isCustomRow } from '../../apiserver/custom-resources/custom-row.ts';
import { decodeAs } from '../../apiserver/request/decode-as.ts';
import type { ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import { restoringOf } from '../../testing/record-replay/snapshot/restoring-order.ts';
import type { Snapshot } from '../../testing/record-replay/snapshot/format.ts';
import type { ApiServer } from './create-api.ts';

export interface RestorePorts {
  readonly api: Pick<ApiServer, 'ground' | 'serveStored'>;
  /** Waits until the controllers have done what the objects so far ask for. */
  readonly settle: () => Promise<void>;
  readonly tell?: ((line: string) => void) | undefined;
}

/**
 * Stores the objects of a snapshot as they are in it, with their uids, times, status and managers, past admission, which they
 * went through when they were written; what is there under the same names is replaced. Those of a kind that is not served are
 * left out and told; without anybody to tell, and for others that cannot be read, it throws ConfigError.
 */
export async function restoreSnapshot(
  path: string,
  { objects }: Snapshot,
  { api, settle, tell }: RestorePorts,
): Promise<void> {
  const { definitions, others } = restoringOf(objects);
  const unserved: string[] = [];
  // Expressions and schemas are needed by what is stored past the stages that load them.
  await api.serveStored();
  for (const one of definitions) await store(one, path, api, unserved);
  // Kinds have to be known before their objects.
  await settle();
  for (const one of others) await store(one, path, api, unserved);
  await settle();
  const [first] = unserved;
  if (first === undefined) return;
  if (!tell) throw new ConfigError(first);
  tell(`${first}; left out, as ${unserved.length - 1} others of kinds that are not served`);
}

async function store(
  object: KubernetesObject,
  path: string,
  { ground: { catalogue, release, storage } }: Pick<ApiServer, 'ground'>,
  unserved: string[],
): Promise<void> {
  const { namespace = '', name = '' } = metadataOf(object);
  const kind = { ...parseApiVersion(object.apiVersion), kind: object.kind };
  const row = catalogue.forKind(kind);
  const title = `${path}: ${object.kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
  if (!row)
    return void unserved.push(`${title}: no matches for kind "${kind.kind}" in version "${apiVersionOf(kind)}"`);
  const form = isCustomRow(row) ? object : await storedForm(object, row, release.codec);
  if (typeof form === 'string') throw new ConfigError(`${title}: ${form}`);
  const key = { resource: row.storage, namespace, name };
  for (;;) {
    const created = await storage.create(key, form);
    if (created.outcome === 'stored') return;
    const replaced = await storage.update(key, form, created.stored.revision);
    if (replaced.outcome === 'stored') return;
    // A controller was faster.
  }
}

/** What is stored of it, or why it cannot be read. */
async function storedForm(
  object: KubernetesObject,
  { kind, storage }: ResourceInfo,
  codec: ApiServer['ground']['release']['codec'],
): Promise<KubernetesObject | string> {
  const decoded = decodeAs(codec, object, object, kind);
  if (decoded.outcome === 'undecodable') return decoded.error;
  const converted = await codec.toStorage(codec.applyDefaults(decoded.object), storage);
  return converted.outcome === 'converted' ? converted.object : converted.error;
}
