import { documentHead, type DocumentHead } from '../../machinery/meta/object.ts';
import { isList, type JsonDocument, type JsonValue } from '../../machinery/json/json.ts';
import { readBoundedFile } from '../../adapters/files/bounded-file.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { CommandContext } from './command-context.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { callServer, type ServerAccess, type ServerAnswer } from '../../adapters/config/kubeconfig/call-server.ts';
import { fetchResources, type KnownResource, resourceForKind } from '../../adapters/config/kubeconfig/discovery.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { apiVersionOf, collectionPath } from '../../machinery/meta/gvk.ts';
import { tryRead } from '../../adapters/config/read-files.ts';

export interface FileManifest extends DocumentHead {
  /** `pods.yaml, document 2`. */
  readonly place: string;
  readonly file: string;
  /** The first line of the document, from 1. */
  readonly line: number;
  /** With several documents: `document 2 of 7`. */
  readonly progress: string;
}

/**
 * The objects of a file of YAML or JSON documents (`-`: standard input), also those of a List, without empty documents.
 * Throws ConfigError for unreadable input.
 */
export async function* streamManifests(
  file: string,
  readYaml: CommandContext['readYaml'],
): AsyncGenerator<FileManifest> {
  let isEmpty = true;
  const parts = documentsIn(readText(file));
  let { linesBefore } = parts;
  for (const [index, part] of parts.texts.entries()) {
    const line = linesBefore + 1 + countLines(/^(?:\s*(?:#.*)?\n)*/.exec(part)?.[0] ?? '');
    linesBefore += countLines(part);
    const place = parts.texts.length === 1 ? displayName(file) : `${displayName(file)}, document ${index + 1}`;
    const reading = await readYaml(part);
    if (reading.outcome === 'unreadable') throw new ConfigError(`${place}: ${reading.error}`);
    const found = reading.value === null ? [] : objectsIn(reading.value, place);
    isEmpty &&= found.length === 0;
    for (const one of found)
      yield { ...one, file: displayName(file), line, progress: `document ${index + 1} of ${parts.texts.length}` };
  }
  if (isEmpty) throw new ConfigError(`${displayName(file)} contains no object`);
}

/** Text before the first `---` is a document unless it is empty. */
function documentsIn(text: string): { readonly texts: readonly string[]; readonly linesBefore: number } {
  const [head = '', ...others] = text.split(/^---(?=\s|$).*$/m);
  return others.length > 0 && isBlank(head)
    ? { texts: others, linesBefore: countLines(head) }
    : { texts: [head, ...others], linesBefore: 0 };
}

const isBlank = (text: string): boolean => text.split('\n').every((line) => /^\s*(?:#|$)/.test(line));

const countLines = (text: string): number => text.split('\n').length - 1;

const displayName = (file: string): string => (file === '-' ? 'standard input' : file);

/** Half the longest possible string. */
const maxBytes = 256 * 1024 * 1024;

const readText = (file: string): string =>
  tryRead(displayName(file), () => readBoundedFile(file === '-' ? 0 : file, maxBytes));

function objectsIn(value: JsonDocument, place: string): readonly Omit<FileManifest, 'progress' | 'file' | 'line'>[] {
  const head = documentHead(value);
  if (typeof head === 'string') throw new ConfigError(`${place}: ${head}`);
  const { items } = head.document;
  if (head.kind.kind === 'List' && isList(items)) {
    return items.flatMap((item, at) => objectsIn(item, `${place}, item ${at + 1}`));
  }
  return [{ place, ...head }];
}

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
      const found = resourceForKind(kind, served);
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
    return writeObject(access, manifest, resource, options);
  };
}

/** A definition is served a moment after it was written. */
const maxTries = 20;
const retryDelayMs = 100;

async function writeObject(
  access: ServerAccess,
  object: WrittenObject,
  resource: KnownResource,
  { operation, dryRun, fieldManager, impersonate, namespace }: ManifestWriteOptions,
): Promise<ServerAnswer> {
  const collection = collectionPath(resource, object.namespace || (namespace ?? access.namespace));
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
