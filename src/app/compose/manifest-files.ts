import { readdirSync, realpathSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import {
  type ManifestFile,
  type ManifestReading,
  type ParseDocument,
  type PlacedManifest,
  readManifests,
} from '../../controllers/manifest.ts';
import { errorText } from '../../machinery/errors.ts';
import { type PipeTimeouts, readBoundedFile } from '../../adapters/files/bounded-file.ts';
import { append, isJsonObject, type JsonDocument } from '../../machinery/json/json.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { notADefinitionText } from '../../machinery/meta/removed-apis.ts';

/** The objects of a file, or of all manifests in a folder. */
export async function readManifestPath(path: string, parse: ParseDocument): Promise<ManifestReading> {
  const reading = readManifestFiles(path);
  if (reading.outcome === 'unreadable') return { outcome: 'unreadable', error: `${path}: ${reading.error}` };
  const manifests: PlacedManifest[] = [];
  for (const file of reading.files) {
    const reading = await readManifests(file, parse);
    if (reading.outcome === 'unreadable') return reading;
    append(manifests, reading.manifests);
  }
  return { outcome: 'read', manifests };
}

/**
 * The CustomResourceDefinitions of a file or folder. A folder may contain other files, such as a kustomization or
 * patches; a file must contain only definitions.
 */
export async function readDefinitionFiles(path: string, parse: ParseDocument): Promise<ManifestReading> {
  const reading = readManifestFiles(path);
  if (reading.outcome === 'unreadable') return unreadable(`${path}: ${reading.error}`);
  const isFolder = statSync(path).isDirectory();
  const manifests: PlacedManifest[] = [];
  for (const file of reading.files) {
    const reading = await readManifests(file, parse, isFolder ? mayDefine : undefined);
    if (reading.outcome === 'unreadable') return reading;
    manifests.push(...reading.manifests);
  }
  const definitions = manifests.filter(({ kind }) => isDefinition(kind));
  const other = isFolder ? undefined : manifests.find(({ kind }) => !isDefinition(kind));
  if (other) return unreadable(`${other.place}: ${notADefinitionText(other.kind.kind)}`);
  if (definitions.length === 0) return unreadable(`${path} holds no CustomResourceDefinition`);
  return { outcome: 'read', manifests: definitions };
}

const isDefinition = ({ kind }: Pick<GroupVersionKind, 'kind'>): boolean => kind === 'CustomResourceDefinition';

/** A complete definition, not a patch; or a list. */
function mayDefine(document: JsonDocument): boolean {
  if (!isJsonObject(document)) return false;
  const { kind, spec } = document;
  if (typeof kind !== 'string') return false;
  return kind.endsWith('List') || (isDefinition({ kind }) && isJsonObject(spec) && spec['names'] !== undefined);
}

const unreadable = (error: string): ManifestReading => ({ outcome: 'unreadable', error });

export type FilesReading =
  | { readonly outcome: 'read'; readonly files: readonly ManifestFile[] }
  | { readonly outcome: 'unreadable'; readonly error: string };

const extensions = new Set(['.yaml', '.yml', '.json']);

/** More is probably a home folder, or a cycle of links. */
const maxEntries = 20_000;

/** In all: texts are copied several times while they are stored. */
const maxBytes = 256 * 1024 * 1024;

/** A file of any name; of a folder all manifests, recursively and sorted by name. */
export function readManifestFiles(path: string, timeouts?: PipeTimeouts): FilesReading {
  try {
    const entry = statSync(path);
    if (entry.isCharacterDevice()) return { outcome: 'unreadable', error: `${path} is a device` };
    const paths = entry.isDirectory() ? manifestsUnder(path) : [path];
    if (!paths) {
      const error = `${path} holds more than ${maxEntries} files and folders: name the manifests, or a folder of them`;
      return { outcome: 'unreadable', error };
    }
    const size = paths.reduce((sum, one) => sum + statSync(one).size, 0);
    if (size > maxBytes) return { outcome: 'unreadable', error: `${path} has more than 256 MiB of manifests` };
    return {
      outcome: 'read',
      files: paths.map((one) => ({ path: one, text: readBoundedFile(one, maxBytes, timeouts) })),
    };
  } catch (error) {
    return { outcome: 'unreadable', error: errorText(error) };
  }
}

/** undefined for too many. Links are followed; each folder is read once. */
function manifestsUnder(top: string): readonly string[] | undefined {
  const files: string[] = [];
  const read = new Set<string>();
  const pending = [top];
  let entries = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    entries += 1;
    if (entries > maxEntries) return undefined;
    const entry = statSync(path);
    const real = entry.isDirectory() ? realpathSync(path) : undefined;
    if (real === undefined) {
      if (entry.isFile() && extensions.has(extname(path))) files.push(path);
    } else if (!read.has(real)) {
      read.add(real);
      const folder = path;
      const names = readdirSync(folder).toSorted((a, b) => (a < b ? 1 : -1));
      for (const name of names) pending.push(join(folder, name));
    }
  }
  return files;
}
