import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { replaceFile } from '../../../adapters/files/portable-files.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { callServer, messageIn, objectIn, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import {
  type DiscoveredResource,
  fetchResources,
  type KnownResource,
  namedResource,
  qualifiedResourceName,
} from '../../../adapters/config/kubeconfig/discovery.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { errorText } from '../../../machinery/errors.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asList, asObject, asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { asKubernetesObject, type KubernetesObject } from '../../../machinery/meta/object.ts';
import type { SnapshotEnd, SnapshotHeader } from './read-snapshot.ts';
import { restoreRank } from './restoring-order.ts';
import { collectionPath } from '../../../machinery/meta/gvk.ts';

/** Resolves with the number of objects. Rejects with ConfigError. */
export async function saveTo(
  file: string,
  { kubeconfig, ...chosen }: SnapshotSelection & { readonly kubeconfig: string },
): Promise<number> {
  const access = await readKubeconfig(kubeconfig);
  const header = {
    kadmitSnapshot: 1,
    takenAt: new Date().toISOString(),
    server: access.url,
    secrets: chosen.secrets || chosen.kinds.includes('secrets'),
  } as const;
  try {
    return await writeSnapshot(file, header, fetchAll(access, chosen));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${file} cannot be written: ${errorText(error)}`);
  }
}

/**
 * Streams a snapshot into a file with mode 0600 (it may contain Secrets), gzipped if the name ends with .gz. The file gets its name when it
 * is complete. Resolves with the number of objects.
 */
export async function writeSnapshot(
  path: string,
  header: SnapshotHeader,
  pages: AsyncIterable<readonly KubernetesObject[]>,
): Promise<number> {
  let objects = 0;
  async function* lines(): AsyncGenerator<string> {
    yield `${JSON.stringify(header)}\n`;
    for await (const page of pages) {
      objects += page.length;
      yield page.map((object) => `${writeJson(object)}\n`).join('');
    }
    yield `${JSON.stringify({ objects } satisfies SnapshotEnd)}\n`;
  }
  const draft = `${path}.${process.pid}`;
  const file = createWriteStream(draft, { mode: 0o600 });
  try {
    const source = Readable.from(lines(), { objectMode: false });
    await (path.endsWith('.gz') ? pipeline(source, createGzip(), file) : pipeline(source, file));
    replaceFile(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return objects;
}

interface SnapshotSelection {
  /** Resources as kubectl names them; []: all but Events and Secrets. */
  readonly kinds: readonly string[];
  /** []: all. */
  readonly namespaces: readonly string[];
  readonly secrets: boolean;
}

/** A page of the largest objects that are stored stays below the bound of a response. */
const pageSize = 50;

/**
 * Pages of objects in restoring order, from one resourceVersion while the server has it. Throws ConfigError when it cannot be reached or
 * refuses.
 */
async function* fetchAll(access: ServerAccess, chosen: SnapshotSelection): AsyncGenerator<readonly KubernetesObject[]> {
  const moment = await latestRevision(access);
  const spaces = new Set(chosen.namespaces);
  for (const resource of chosenResources(await fetchResources(access), chosen)) {
    const isNamespaces = resource.group === '' && resource.resource === 'namespaces';
    const within = resource.namespaced && spaces.size > 0 ? [...spaces] : [''];
    for (const namespace of within) {
      for await (const page of fetchPages(access, { resource, namespace, moment })) {
        yield isNamespaces && spaces.size > 0 ? page.filter((one) => spaces.has(asString(one.metadata?.name))) : page;
      }
    }
  }
}

/** Each resource once, in the preferred version, without resources that cannot be created. */
function chosenResources(
  known: readonly DiscoveredResource[],
  { kinds, secrets }: SnapshotSelection,
): readonly KnownResource[] {
  const creatable = known.filter(({ verbs }) => verbs.includes('list') && verbs.includes('create'));
  const named =
    kinds.length > 0 ? kinds.map((word) => namedResource(word, creatable)) : creatable.filter(isSavedByDefault);
  const secret = secrets ? creatable.filter(({ group, resource }) => group === '' && resource === 'secrets') : [];
  const once = new Map([...named, ...secret].toReversed().map((one) => [qualifiedResourceName(one), one]));
  return [...once.values()].toReversed().toSorted((one, other) => resourceRank(one) - resourceRank(other));
}

const isSavedByDefault = ({ group, resource }: KnownResource): boolean =>
  resource !== 'events' && !(group === '' && resource === 'secrets');

const resourceRank = ({ group, version, kind }: KnownResource): number =>
  restoreRank({ apiVersion: group === '' ? version : `${group}/${version}`, kind });

interface PageRequest {
  readonly resource: KnownResource;
  /** '' for all, and for cluster-scoped objects. */
  readonly namespace: string;
  readonly moment: string;
}

async function* fetchPages(access: ServerAccess, named: PageRequest): AsyncGenerator<readonly KubernetesObject[]> {
  const { resource, namespace, moment } = named;
  const collection = collectionPath({ ...resource, namespaced: namespace !== '' }, namespace);
  let query = new URLSearchParams({ resourceVersion: moment, resourceVersionMatch: 'Exact' });
  for (let isMore = true; isMore;) {
    query.set('limit', String(pageSize));
    const { code, text } = await callServer(access, { method: 'GET', path: `${collection}?${query.toString()}` });
    // The resourceVersion is compacted or unknown: use the current one.
    if (query.has('resourceVersion') && (code === 410 || code === 400 || code === 504)) {
      query = new URLSearchParams();
      continue;
    }
    if (code !== 200) throw new ConfigError(`${collection}: ${messageIn(text).trim()}`);
    const list = objectIn(text);
    yield asList(list['items']).flatMap((item) => asItem(item, resource));
    const next = asString(asObject(list['metadata'])['continue']);
    query = new URLSearchParams({ continue: next });
    isMore = next !== '';
  }
}

/** Items of a list have no apiVersion and kind. */
function asItem(item: JsonValue, { group, version, kind }: KnownResource): readonly KubernetesObject[] {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const object = isJsonObject(item) ? asKubernetesObject({ apiVersion, kind, ...item }) : undefined;
  return object ? [object] : [];
}

async function latestRevision(access: ServerAccess): Promise<string> {
  const { code, text } = await callServer(access, { method: 'GET', path: '/api/v1/namespaces?limit=1' });
  if (code !== 200) throw new ConfigError(messageIn(text).trim());
  return asString(asObject(objectIn(text)['metadata'])['resourceVersion']);
}
