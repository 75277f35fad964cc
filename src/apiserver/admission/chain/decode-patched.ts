import { typeOf } from '../../../machinery/json/body-type.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { plainValue } from '../../../machinery/json/json-reader.ts';
import { asKubernetesObject } from '../../../machinery/meta/object.ts';
import { apiVersionOf, type GroupVersionKind, gvkText, parseApiVersion, sameGvk } from '../../../machinery/meta/gvk.ts';
import { isJsonObject, type JsonDocument } from '../../../machinery/json/json.ts';
import { writeJsonForGo } from '../../../machinery/json/json-writer.ts';
import type { Catalogue } from '../../../api/types/catalogue/catalogue.ts';
import type { Codec } from '../../../api/codec/codec.ts';
import { tooLargeNumber } from '../../../machinery/json/too-large-number.ts';
import type { Decoded } from '../../../api/codec/decode.ts';
import { type AdmissionAttributes, isCustom } from './attributes.ts';

export type PatchedView = Pick<AdmissionAttributes, 'codec' | 'subresource' | 'operation'>;

/** The document decides its own kind if the server knows it (rule MUT-13). */
export function decodePatched(
  document: JsonDocument,
  expected: GroupVersionKind,
  view: PatchedView,
  { codec, catalogue }: { readonly codec: Codec; readonly catalogue: Pick<Catalogue, 'forKind'> },
): Decoded {
  const custom = isCustom(view);
  const typed = typeOf({ value: document }, custom);
  if (typed.outcome === 'untyped') return { outcome: 'undecodable', error: typed.error };
  const kind = kindOf(typed, custom ? { ...expected, kind: '' } : expected);
  if (kind.kind === '') {
    return { outcome: 'undecodable', error: `Object 'Kind' is missing in '${writeJsonForGo(document)}'` };
  }
  if (custom) return decodeCustom(document, kind, view.operation === 'CREATE');
  const isKnown = sameGvk(kind, expected) || catalogue.forKind(kind) !== undefined;
  return isKnown ? codec.decodeValue(document, kind) : { outcome: 'undecodable', error: unregistered(kind) };
}

/** Nothing is pruned: later webhooks see all of it. */
function decodeCustom(document: JsonDocument, kind: GroupVersionKind, isNew: boolean): Decoded {
  const value = plainValue(document);
  const fault = value === document ? undefined : tooLargeNumber(document);
  if (fault !== undefined) return { outcome: 'undecodable', error: fault };
  const typed = isJsonObject(value) ? { apiVersion: apiVersionOf(kind), ...value } : null;
  const object = asKubernetesObject(typed) ?? (isNew ? undefined : asKubernetesObject({ ...typed, metadata: {} }));
  // Upstream cannot set even a uid in such metadata: apiserver pkg/registry/rest/create.go BeforeCreate.
  if (!object) return { outcome: 'undecodable', error: 'system metadata was not initialized' };
  return { outcome: 'decoded', object, strict: [] };
}

const kindOf = (
  { apiVersion, kind }: Readonly<Record<'apiVersion' | 'kind', string>>,
  fallback: GroupVersionKind,
): GroupVersionKind => ({
  ...fallback,
  ...(apiVersion === '' ? {} : parseApiVersion(apiVersion)),
  ...(kind === '' ? {} : { kind }),
});

/** Upstream names the scheme after the line that creates it. */
const unregistered = (kind: GroupVersionKind): string =>
  `no kind ${goQuote(kind.kind)} is registered for version ${goQuote(versionIn(gvkText(kind)))} in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"`;

const versionIn = (text: string): string => text.slice(0, text.indexOf(',')).replace(/^\//, '');
