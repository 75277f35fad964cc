import { statSync } from 'node:fs';
import { notADefinitionText } from '../machinery/meta/definition-advice.ts';
import { isJsonObject, type JsonDocument } from '../machinery/json/json.ts';
import type { GroupVersionKind } from '../machinery/meta/gvk.ts';
import { readManifestFiles } from './manifest-files.ts';
import { type PlacedManifest, type ManifestReading, type ParseDocument, readManifests } from './manifest.ts';

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
    const found = await readManifests(file, parse, isFolder ? mayDefine : undefined);
    if (found.outcome === 'unreadable') return found;
    manifests.push(...found.manifests);
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
