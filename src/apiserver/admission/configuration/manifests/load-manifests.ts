import { append } from '../../../../machinery/json/append.ts';
import { fieldErrorText, goQuote } from '../../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../../machinery/meta/field-error.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import type { Codec } from '../../../../api/codec/codec.ts';
import { listText } from '../complaint-list.ts';
import { read, unreadable } from '../configuration-document.ts';
import type { Reading } from '../configuration-document.ts';
import { decodeManifest } from './decode-manifest.ts';
import { manifestKindsOf } from './manifest-plugins.ts';
import type { ManifestPlugin } from './manifest-plugins.ts';
import { danglingBinding, restrictionOf } from './manifest-restrictions.ts';
import type { SeenNames } from './manifest-restrictions.ts';
import { splitDocuments } from './split-documents.ts';

export interface ManifestFile {
  readonly path: string;
  readonly text: string;
}

/** What the files of one folder come to: configurations, or policies with their bindings. */
export interface Manifests {
  readonly objects: readonly KubernetesObject[];
  readonly bindings: readonly KubernetesObject[];
}

export interface LoadPorts {
  readonly codec: Codec;
  /** What the API would say against the object if it were created. */
  readonly validate: (object: KubernetesObject) => Promise<readonly FieldError[]>;
}

/**
 * Reads the files of a folder, all or none. Follows kubernetes pkg/admission/plugin/webhook/manifest/loader/loader.go
 * and policy/manifest/loader (rules STA-3 to STA-6).
 */
export async function loadManifests(
  files: readonly ManifestFile[],
  plugin: ManifestPlugin,
  ports: LoadPorts,
): Promise<Reading<Manifests>> {
  const documents: ManifestFile[] = [];
  for (const { path, text } of files) {
    const split = splitDocuments(text);
    if (!split.ok) return unreadable(`failed to split YAML documents in file ${goQuote(path)}: ${split.error}`);
    append(
      documents,
      split.value.map((document) => ({ path, text: document })),
    );
  }
  const all: KubernetesObject[] = [];
  const seen: SeenNames = new Map();
  for (const document of documents) {
    const found = await loadDocument(document, plugin, { ...ports, seen });
    if (!found.ok) return unreadable(`error loading ${document.path}: ${found.error}`);
    append(all, found.value);
  }
  const [kind] = manifestKindsOf(plugin).kinds;
  const objects = all.filter((object) => object.kind === kind);
  const bindings = all.filter((object) => object.kind !== kind);
  const dangling = danglingBinding(objects, bindings);
  return dangling === undefined ? read({ objects, bindings }) : unreadable(dangling);
}

/** What a document of this file comes to. */
async function loadDocument(
  { path, text }: ManifestFile,
  plugin: ManifestPlugin,
  { codec, validate, seen }: LoadPorts & { readonly seen: SeenNames },
): Promise<Reading<readonly KubernetesObject[]>> {
  const decoded = decodeManifest(text, plugin, codec);
  if (!decoded.ok) return decoded;
  for (const object of decoded.value) {
    const errors = await validate(object);
    if (errors.length === 0) continue;
    const texts = [...new Set(errors.map(fieldErrorText))];
    return unreadable(`${object.kind} ${goQuote(metadataOf(object).name ?? '')}: ${listText(texts)}`);
  }
  for (const object of decoded.value) {
    const fault = restrictionOf(object, path, seen);
    if (fault !== undefined) return unreadable(fault);
  }
  return decoded;
}
