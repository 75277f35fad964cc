import { ConfigError } from '../../adapters/config/config-error.ts';
import { readYamlBody } from '../../adapters/http/body-formats.ts';
import type { ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import { isCustomRow } from '../../apiserver/custom-resources/custom-codec.ts';
import { decodeAs } from '../../apiserver/request/decode-as.ts';
import { createClientFactory, kubeconfigUser } from '../../controllers/client.ts';
import { loadManifests, type LoadManifestsPorts } from '../../controllers/load-manifests.ts';
import type { ParseDocument } from '../../controllers/manifest.ts';
import { apiVersionOf, parseApiVersion } from '../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { isSnapshot, readSnapshot, type ClusterSnapshot } from '../../testing/record-replay/snapshot/read-snapshot.ts';
import { planRestore } from '../../testing/record-replay/snapshot/restoring-order.ts';
import type { ControllerParts, RunningControllers } from './controllers.ts';
import type { ApiServer } from './create-api.ts';
import { readDefinitionFiles, readManifestPath } from './manifest-files.ts';
import { waitForQuiescence } from './quiescence.ts';

export interface LoadParts extends Pick<ControllerParts, 'api' | 'clock' | 'newUid'> {
  readonly parse?: ParseDocument;
  /** Receives what a snapshot leaves out; without it that is an error. */
  readonly report?: (line: string) => void;
}

/**
 * Stores the objects of snapshots unchanged, then manifests of files and folders as kubernetes-admin. Rejects with ConfigError
 * for a refused one.
 */
export async function loadPaths(
  all: readonly string[],
  parts: LoadParts,
  controllers: Pick<RunningControllers, 'idle'>,
): Promise<void> {
  const { api, clock, report } = parts;
  const idle = report ? waitForQuiescence(controllers.idle, clock, report) : controllers.idle;
  const snapshots = all.filter(isSnapshot);
  for (const path of snapshots) await restoreSnapshot(path, readSnapshot(path), { api, settle: idle, report });
  const paths = all.filter((path) => !snapshots.includes(path));
  const loading = await loadManifests(paths, loadingPorts(parts, { idle }), readManifestPath);
  if (loading.outcome === 'failed') throw new ConfigError(`--load ${loading.error}`);
}

/** Rejects with ConfigError for a refused definition, and for a path without any. */
export async function installDefinitions(
  paths: readonly string[],
  parts: LoadParts,
  controllers: Pick<RunningControllers, 'idle'>,
): Promise<void> {
  const loading = await loadManifests(paths, loadingPorts(parts, controllers), readDefinitionFiles);
  if (loading.outcome === 'failed') throw new ConfigError(`crds: ${loading.error}`);
}

function loadingPorts(
  { api, clock, newUid, parse = readYamlBody }: LoadParts,
  { idle }: Pick<RunningControllers, 'idle'>,
): LoadManifestsPorts {
  const { handle, clusterState } = api;
  const makeClient = createClientFactory({ handle, clock, newUid, signal: new AbortController().signal });
  return { client: makeClient(kubeconfigUser, 'kadmit'), served: clusterState.catalogue, parse, settle: idle };
}

interface RestorePorts {
  readonly api: Pick<ApiServer, 'clusterState' | 'serveStored'>;
  /** Waits until the controllers have processed the objects so far. */
  readonly settle: () => Promise<void>;
  readonly report?: ((line: string) => void) | undefined;
}

/**
 * Stores the objects of a snapshot with their uids, times, status and managers, without admission; replaces objects of the same
 * names. Leaves out objects of unserved kinds and reports them; without `report`, and for unreadable objects, it rejects with
 * ConfigError.
 */
async function restoreSnapshot(
  path: string,
  { objects }: ClusterSnapshot,
  { api, settle, report }: RestorePorts,
): Promise<void> {
  const { definitions, others } = planRestore(objects);
  const unserved: string[] = [];
  // Storing skips the stages that load expressions and schemas.
  await api.serveStored();
  for (const one of definitions) await store(one, path, api, unserved);
  // The kinds must be served before their objects are stored.
  await settle();
  for (const one of others) await store(one, path, api, unserved);
  await settle();
  const [first] = unserved;
  if (first === undefined) return;
  if (!report) throw new ConfigError(first);
  report(`${first}; left out, as ${unserved.length - 1} others of kinds that are not served`);
}

async function store(
  object: KubernetesObject,
  path: string,
  { clusterState: { catalogue, release, storage } }: Pick<ApiServer, 'clusterState'>,
  unserved: string[],
): Promise<void> {
  const { namespace = '', name = '' } = metadataOf(object);
  const kind = { ...parseApiVersion(object.apiVersion), kind: object.kind };
  const row = catalogue.forKind(kind);
  const title = `${path}: ${object.kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
  if (!row)
    return void unserved.push(`${title}: no matches for kind "${kind.kind}" in version "${apiVersionOf(kind)}"`);
  const form = isCustomRow(row) ? object : await toStorageVersion(object, row, release.codec);
  if (typeof form === 'string') throw new ConfigError(`${title}: ${form}`);
  const key = { resource: row.storage, namespace, name };
  for (;;) {
    const created = await storage.create(key, form);
    if (created.outcome === 'stored') return;
    const replaced = await storage.update(key, form, created.stored.revision);
    if (replaced.outcome === 'stored') return;
    // Retry after a write of a controller.
  }
}

/** The object in its storage version, or the error. */
async function toStorageVersion(
  object: KubernetesObject,
  { kind, storage }: ResourceInfo,
  codec: ApiServer['clusterState']['release']['codec'],
): Promise<KubernetesObject | string> {
  const decoded = decodeAs(codec, object, object, kind);
  if (decoded.outcome === 'undecodable') return decoded.error;
  const converted = await codec.toStorage(codec.applyDefaults(decoded.object), storage);
  return converted.outcome === 'converted' ? converted.object : converted.error;
}
