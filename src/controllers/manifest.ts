import { type JsonDocument, append, isList, isDocumentObject } from '../machinery/json/json.ts';
import { type DocumentHead, documentHead } from '../machinery/meta/object.ts';
import { type GroupVersionKind, apiVersionOf } from '../machinery/meta/gvk.ts';

export interface PlacedManifest extends DocumentHead {
  /** `pods.yaml, document 2`. */
  readonly place: string;
}

export type ManifestReading =
  | { readonly outcome: 'read'; readonly manifests: readonly PlacedManifest[] }
  | { readonly outcome: 'unreadable'; readonly error: string };

/** Parses one document of YAML or JSON. */
export type ParseDocument = (
  text: string,
) => Promise<
  | { readonly outcome: 'read'; readonly value: JsonDocument }
  | { readonly outcome: 'unreadable'; readonly error: string }
>;

/**
 * The objects of a text with several documents, in order. Lists are expanded, empty and unwanted documents skipped.
 * Follows apimachinery pkg/util/yaml/decoder.go and cli-runtime pkg/resource/visitor.go.
 */
export async function readManifests(
  { path, text }: ManifestFile,
  parse: ParseDocument,
  desired: (document: JsonDocument) => boolean = () => true,
): Promise<ManifestReading> {
  const manifests: PlacedManifest[] = [];
  for (const [index, part] of text.split(/^---(?=\s|$).*$/m).entries()) {
    const place = `${path}, document ${index + 1}`;
    const reading = await parse(part);
    if (reading.outcome === 'unreadable') return { outcome: 'unreadable', error: `${place}: ${reading.error}` };
    if (reading.value === null || !desired(reading.value)) continue;
    const found = expandDocument(reading.value, place);
    if (typeof found === 'string') return { outcome: 'unreadable', error: `${place}: ${found}` };
    append(manifests, found);
  }
  return { outcome: 'read', manifests };
}

/** The objects, or the error. */
function expandDocument(value: JsonDocument, place: string): readonly PlacedManifest[] | string {
  const head = documentHead(value);
  if (typeof head === 'string') return head;
  const { items } = head.document;
  const { kind } = head.kind;
  if (!kind.endsWith('List') || !isList(items)) return [{ place, ...head }];
  return expandList(items, { apiVersion: apiVersionOf(head.kind), kind, place });
}

interface ListHead {
  readonly apiVersion: string;
  readonly kind: string;
  readonly place: string;
}

/** Items of a typed list (`PodList`) may omit apiVersion and kind. */
function expandList(items: readonly JsonDocument[], list: ListHead): readonly PlacedManifest[] | string {
  const kind = list.kind.slice(0, -'List'.length);
  const head = kind === '' ? {} : { apiVersion: list.apiVersion, kind };
  const manifests: PlacedManifest[] = [];
  for (const [index, item] of items.entries()) {
    if (!isDocumentObject(item)) return `item ${index + 1}: an object is expected`;
    const found = expandDocument({ ...head, ...item }, `${list.place}, item ${index + 1}`);
    if (typeof found === 'string') return `item ${index + 1}: ${found}`;
    append(manifests, found);
  }
  return manifests;
}

/** Namespaces first, then definitions of kinds, webhook configurations last. */
export function sortForLoading(manifests: readonly PlacedManifest[]): readonly PlacedManifest[] {
  return manifests.toSorted((a, b) => loadOrder(a) - loadOrder(b));
}

function loadOrder({ kind }: PlacedManifest): number {
  if (isNamespace(kind)) return 0;
  if (kind.group === 'apiextensions.k8s.io') return 1;
  return kind.group === 'admissionregistration.k8s.io' && kind.kind.endsWith('WebhookConfiguration') ? 3 : 2;
}

export const isNamespace = ({ group, kind }: GroupVersionKind): boolean => group === '' && kind === 'Namespace';

/** Follows apimachinery pkg/api/meta/errors.go NoKindMatchError. */
export const unknownKind = (kind: GroupVersionKind): string =>
  `no matches for kind "${kind.kind}" in version "${apiVersionOf(kind)}"`;

export interface ManifestFile {
  readonly path: string;
  readonly text: string;
}
