import { append } from '../../../../machinery/json/append.ts';
import { createFieldReader } from '../../../../machinery/meta/decode-fields.ts';
import type { Fields } from '../../../../machinery/meta/decode-fields.ts';
import { goQuote } from '../../../../machinery/meta/field-error.ts';
import { parseApiVersion } from '../../../../machinery/meta/gvk.ts';
import { isList } from '../../../../machinery/json/json.ts';
import { writeJson } from '../../../../machinery/json/json-writer.ts';
import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import type { Codec } from '../../../../api/codec/codec.ts';
import { openDocument, read, unreadable } from '../configuration-document.ts';
import type { Reading, TypedDocument } from '../configuration-document.ts';
import { manifestKindsOf } from './manifest-plugins.ts';
import type { ManifestPlugin } from './manifest-plugins.ts';

const group = 'admissionregistration.k8s.io';

/**
 * The objects in one document, decoded strictly and defaulted: one of the plugin's kinds, a list of them, or a `List`
 * of such documents. Follows apiserver pkg/admission/plugin/webhook/manifest/loader and policy/manifest/loader (rule STA-3).
 */
export function decodeManifest(text: string, plugin: ManifestPlugin, codec: Codec): Reading<KubernetesObject[]> {
  const document = openDocument(text);
  if (!document.ok) return document;
  const { fields, duplicates, apiVersion, kind } = document.value;
  if (kind === 'List') return decodeItems(document.value, plugin, codec);
  const stated = { ...parseApiVersion(apiVersion), kind };
  if (stated.group !== group || !codec.types.isRegistered(itemKind(stated))) {
    const scheme = goQuote(schemes[manifestKindsOf(plugin).about]);
    return unreadable(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${scheme}`);
  }
  const own = manifestKindsOf(plugin).kinds.find((one) => kind === one || kind === `${one}List`);
  if (own === undefined || stated.version !== 'v1') {
    return unreadable(`unsupported resource type *${stated.version}.${kind}`);
  }
  const decodeOne = (value: Fields, complaints: readonly string[], prefix: string): Reading<KubernetesObject> => {
    const decoded = codec.decodeValue(value, { ...stated, kind: own });
    if (decoded.outcome === 'undecodable') return unreadable(decoded.error);
    const strict = [...complaints, ...decoded.strict.map((one) => one.replace('field "', `field "${prefix}`))];
    return strict.length === 0 ? read(codec.applyDefaults(decoded.object)) : strictly(strict);
  };
  if (kind === own) return listOf([decodeOne(fields, duplicates, '')]);
  return listOf(
    itemsOf(fields).map((item, index) =>
      decodeOne({ ...item, apiVersion, kind: own }, index === 0 ? duplicates : [], `items[${index}].`),
    ),
  );
}

function decodeItems(
  { fields, duplicates }: TypedDocument,
  plugin: ManifestPlugin,
  codec: Codec,
): Reading<KubernetesObject[]> {
  const reader = createFieldReader();
  reader.only(fields, ['apiVersion', 'kind', 'metadata', 'items'], '');
  const strict = [...duplicates, ...reader.unknown()];
  if (strict.length > 0) return strictly(strict);
  const objects: KubernetesObject[] = [];
  for (const item of itemsOf(fields)) {
    const decoded = decodeManifest(writeJson(item), plugin, codec);
    if (!decoded.ok) return unreadable(`failed to decode list item: ${decoded.error}`);
    append(objects, decoded.value);
  }
  return read(objects);
}

const strictly = (complaints: readonly string[]): ReturnType<typeof unreadable> =>
  unreadable(`strict decoding error: ${complaints.join(', ')}`);

function listOf(readings: readonly Reading<KubernetesObject>[]): Reading<KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  for (const reading of readings) {
    if (!reading.ok) return reading;
    objects.push(reading.value);
  }
  return read(objects);
}

const itemsOf = ({ items }: Fields): readonly Fields[] =>
  isList(items) ? items.map((item) => (isFields(item) ? item : {})) : [];

const isFields = (value: Fields[string]): value is Fields =>
  typeof value === 'object' && value !== null && !isList(value);

/** A list is registered where its items are. */
const itemKind = <T extends { readonly kind: string }>(stated: T): T => ({
  ...stated,
  kind: stated.kind.replace(/List$/, ''),
});

/** The lines of Go that make the schemes, which upstream's complaint names. */
const schemes = {
  policy: 'k8s.io/kubernetes/pkg/admission/plugin/policy/manifest/loader/validating_loader.go:35',
  webhook: 'k8s.io/kubernetes/pkg/admission/plugin/webhook/manifest/loader/loader.go:41',
};
