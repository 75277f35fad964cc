import { append, asObject, isJsonObject, type JsonObject } from '../machinery/json/json.ts';
import { removedApiAdvice } from '../machinery/meta/removed-apis.ts';
import { plainValue } from '../machinery/json/json-reader.ts';
import { asKubernetesObject, metadataOf, withoutServerMetadata } from '../machinery/meta/object.ts';
import type { Result } from '../machinery/meta/result.ts';
import type { ApiClient } from './client.ts';
import {
  sortForLoading,
  isNamespace,
  type ManifestReading,
  type ParseDocument,
  type PlacedManifest,
  unknownKind,
} from './manifest.ts';
import { resourcePath, type ServedResource, type ServedResources } from './served-resources.ts';

export interface LoadManifestsPorts {
  readonly client: ApiClient;
  readonly served: ServedResources;
  readonly parse: ParseDocument;
  /** Waits until the controllers have processed the stored objects. */
  readonly settle: () => Promise<void>;
}

export type ManifestLoading =
  | { readonly outcome: 'loaded' }
  /** The file, the document and the reason. */
  | { readonly outcome: 'failed'; readonly error: string };

/**
 * Stores the objects of these files and folders through the pipeline: creates or replaces them. `read` reads one
 * path.
 */
export async function loadManifests(
  paths: readonly string[],
  ports: LoadManifestsPorts,
  read: (path: string, parse: ParseDocument) => Promise<ManifestReading>,
): Promise<ManifestLoading> {
  const manifests: PlacedManifest[] = [];
  for (const path of paths) {
    const found = await read(path, ports.parse);
    if (found.outcome === 'unreadable') return loadingFailure(found.error);
    append(manifests, found.manifests);
  }
  return loadAll(sortForLoading(manifests), ports);
}

async function loadAll(manifests: readonly PlacedManifest[], ports: LoadManifestsPorts): Promise<ManifestLoading> {
  const firstInside = manifests.find(({ kind }) => !isNamespace(kind));
  for (const manifest of manifests) {
    // Pods need the ServiceAccounts of their namespaces.
    if (manifest === firstInside) await ports.settle();
    const error = await loadManifest(manifest, ports);
    if (error !== '') return loadingFailure(`${manifest.place}: ${error}`);
  }
  await ports.settle();
  return { outcome: 'loaded' };
}

const loadingFailure = (error: string): ManifestLoading => ({ outcome: 'failed', error });

/** Why the object cannot be stored, or `''`. */
async function loadManifest(manifest: PlacedManifest, { client, served }: LoadManifestsPorts): Promise<string> {
  const resource = served.forKind(manifest.kind);
  if (!resource)
    return removedApiAdvice(manifest.kind, asObject(plainValue(manifest.document))) ?? unknownKind(manifest.kind);
  for (let tries = 1; ; tries += 1) {
    const result = await storeManifest(manifest, resource, client);
    if (result.ok) return '';
    // A controller wrote in between, or a webhook responds with Conflict each time.
    const isOver = result.status.reason !== 'Conflict' || tries === maxTries;
    if (isOver) return result.status.message ?? 'it is refused';
  }
}

const maxTries = 20;

const loadQuery = { fieldManager: 'kadmit-load', fieldValidation: 'Strict' };

async function storeManifest(
  { name, namespace, document: written }: PlacedManifest,
  resource: ServedResource,
  client: ApiClient,
): Promise<Result<JsonObject>> {
  const document = withoutServerMetadata(written);
  const collection = resourcePath(resource, resource.namespaced ? namespace || 'default' : '');
  const path = `${collection}/${name}`;
  const current = name === '' ? undefined : await client({ method: 'GET', path });
  if (!current?.ok) return client({ method: 'POST', path: collection, query: loadQuery, body: document });
  const stored = asKubernetesObject(current.value);
  const { resourceVersion = '' } = stored ? metadataOf(stored) : {};
  const metadata = { ...(isJsonObject(document['metadata']) ? document['metadata'] : {}), resourceVersion };
  return client({ method: 'PUT', path, query: loadQuery, body: { ...document, metadata } });
}
