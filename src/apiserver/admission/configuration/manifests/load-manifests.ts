import { aggregateText } from '../../../../machinery/errors.ts';
import type { Codec } from '../../../../api/codec/codec.ts';
import type * as v1 from '../../../../api/types/generated/admissionregistration-v1.ts';
import { append, asList, asObject, asString, isList } from '../../../../machinery/json/json.ts';
import { writeJson } from '../../../../machinery/json/json-writer.ts';
import { anyField, decodeStruct, type Fields } from '../../../../machinery/meta/decode-fields.ts';
import { type FieldError, fieldErrorText, goQuote } from '../../../../machinery/meta/field-error.ts';
import { parseApiVersion } from '../../../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf } from '../../../../machinery/meta/object.ts';
import {
  openDocument,
  read,
  type ConfigurationReading,
  type TypedDocument,
  unreadable,
} from '../configuration-document.ts';
import { manifestKindsOf, type ManifestPlugin, type Manifests, staticSuffix } from './static-manifests.ts';

export interface ManifestFile {
  readonly path: string;
  readonly text: string;
}

export interface LoadConfigurationPorts {
  readonly codec: Codec;
  readonly validate: (object: KubernetesObject) => Promise<readonly FieldError[]>;
}

/**
 * Reads all files of a folder, or fails. Follows kubernetes pkg/admission/plugin/webhook/manifest/loader/loader.go and
 * policy/manifest/loader (rules STA-3 to STA-6).
 */
export async function loadStaticConfigurations(
  files: readonly ManifestFile[],
  plugin: ManifestPlugin,
  ports: LoadConfigurationPorts,
): Promise<ConfigurationReading<Manifests>> {
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
  const seen: KnownNames = new Map();
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

async function loadDocument(
  { path, text }: ManifestFile,
  plugin: ManifestPlugin,
  { codec, validate, seen }: LoadConfigurationPorts & { readonly seen: KnownNames },
): Promise<ConfigurationReading<readonly KubernetesObject[]>> {
  const decoded = decodeManifest(text, plugin, codec);
  if (!decoded.ok) return decoded;
  for (const object of decoded.value) {
    const errors = await validate(object);
    if (errors.length === 0) continue;
    return unreadable(`${object.kind} ${goQuote(nameOf(object))}: ${aggregateText(errors.map(fieldErrorText))}`);
  }
  for (const object of decoded.value) {
    const fault = findRestriction(object, path, seen);
    if (fault !== undefined) return unreadable(fault);
  }
  return decoded;
}

/** Splits a text at `---`, drops empty documents. Follows apimachinery pkg/util/yaml/decoder.go YAMLReader. */
function splitDocuments(text: string): ConfigurationReading<readonly string[]> {
  const parts = text.split(separatorLine);
  // Odd parts follow a separator; only a comment may be there.
  const wrong = parts.find((part, index) => index % 2 === 1 && !/^(#|$)/.test(part.trim()));
  if (wrong !== undefined) return unreadable(`invalid Yaml document separator: ${wrong.trim()}`);
  const documents = parts.filter((_part, index) => index % 2 === 0).map((part) => part.trim());
  return read(documents.filter((document) => document !== ''));
}

const separatorLine = /^---(.*)\r?$/m;

type KnownNames = Map<string, string>;

/**
 * Restrictions on manifest files; records the name in `seen`. Follows apiserver
 * pkg/admission/plugin/manifest/validation.go and the loaders (rules STA-4 to STA-6).
 */
const findRestriction = (object: KubernetesObject, file: string, seen: KnownNames): string | undefined =>
  nameFault(object, file, seen) ?? contentFault(object, file);

function nameFault({ kind, metadata = {} }: KubernetesObject, file: string, seen: KnownNames): string | undefined {
  const { name = '' } = metadata;
  if (name === '') return `resource in file ${goQuote(file)} must have a name`;
  if (!name.endsWith(staticSuffix)) {
    return `${goQuote(name)} in file ${goQuote(file)} must have a name ending with ${goQuote(staticSuffix)}`;
  }
  const key = `${kind}/${name}`;
  const before = seen.get(key);
  if (before !== undefined) {
    return `duplicate name ${goQuote(name)} found in file ${goQuote(file)} (previously seen in ${goQuote(before)})`;
  }
  seen.set(key, file);
  return undefined;
}

function contentFault(object: KubernetesObject, file: string): string | undefined {
  if (object.kind.endsWith('WebhookConfiguration')) return clientFault(object, file);
  return object.kind.endsWith('Binding') ? bindingFault(object) : parameterFault(object);
}

/** Services are unavailable before the API starts. */
function clientFault(configuration: v1.ValidatingWebhookConfiguration, file: string): string | undefined {
  const name = nameOf(configuration);
  for (const webhook of asList(configuration.webhooks)) {
    const { service, url } = asObject(webhook.clientConfig);
    const place = `webhook ${goQuote(asString(webhook.name))} in ${goQuote(name)} (file ${goQuote(file)})`;
    if (service !== undefined) {
      return `${place}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`;
    }
    if (asString(url) === '') return `${place}: clientConfig.url is required for static manifests`;
  }
  return undefined;
}

function parameterFault(policy: v1.ValidatingAdmissionPolicy): string | undefined {
  if (policy.spec?.paramKind === undefined) return undefined;
  return `${policy.kind} ${goQuote(nameOf(policy))}: spec.paramKind is not supported for static manifests`;
}

function bindingFault(binding: PolicyBinding): string | undefined {
  const { paramRef } = asObject(binding.spec);
  const [name, policy] = [goQuote(nameOf(binding)), policyOfBinding(binding)];
  if (policy === '') return `binding ${name} must reference a policy (spec.policyName)`;
  if (!policy.endsWith(staticSuffix)) {
    return `binding ${name}: spec.policyName ${goQuote(policy)} must end with ${goQuote(staticSuffix)}`;
  }
  return paramRef === undefined ? undefined : `binding ${name}: spec.paramRef is not supported for static manifests`;
}

function danglingBinding(
  policies: readonly KubernetesObject[],
  bindings: readonly KubernetesObject[],
): string | undefined {
  const names = new Set(policies.map(nameOf));
  const dangling = bindings.find((binding) => !names.has(policyOfBinding(binding)));
  if (!dangling) return undefined;
  const [name, policy] = [goQuote(nameOf(dangling)), goQuote(policyOfBinding(dangling))];
  return `binding ${name} references policy ${policy} which does not exist in the manifest directory`;
}

type PolicyBinding = v1.ValidatingAdmissionPolicyBinding;

const policyOfBinding = (binding: PolicyBinding): string => asString(binding.spec?.policyName);

const nameOf = (object: KubernetesObject): string => metadataOf(object).name ?? '';

const group = 'admissionregistration.k8s.io';

/**
 * The objects in one document, decoded strictly and defaulted: one of the plugin's kinds, a list of them, or a `List`
 * of such documents. Follows apiserver pkg/admission/plugin/webhook/manifest/loader and policy/manifest/loader (rule STA-3).
 */
function decodeManifest(text: string, plugin: ManifestPlugin, codec: Codec): ConfigurationReading<KubernetesObject[]> {
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
  const decodeOne = (
    value: Fields,
    problems: readonly string[],
    prefix: string,
  ): ConfigurationReading<KubernetesObject> => {
    const decoded = codec.decodeValue(value, { ...stated, kind: own });
    if (decoded.outcome === 'undecodable') return unreadable(decoded.error);
    const strict = [...problems, ...decoded.strict.map((one) => one.replace('field "', `field "${prefix}`))];
    return strict.length === 0 ? read(codec.applyDefaults(decoded.object)) : strictError(strict);
  };
  if (kind === own) return collectReadings([decodeOne(fields, duplicates, '')]);
  return collectReadings(
    itemsOf(fields).map((item, index) =>
      decodeOne({ ...item, apiVersion, kind: own }, index === 0 ? duplicates : [], `items[${index}].`),
    ),
  );
}

function decodeItems(
  { fields, duplicates }: TypedDocument,
  plugin: ManifestPlugin,
  codec: Codec,
): ConfigurationReading<KubernetesObject[]> {
  const list = { type: 'List', fields: { metadata: anyField, items: anyField } };
  const strict = [...duplicates, ...decodeStruct(list, fields).unknown];
  if (strict.length > 0) return strictError(strict);
  const objects: KubernetesObject[] = [];
  for (const item of itemsOf(fields)) {
    const decoded = decodeManifest(writeJson(item), plugin, codec);
    if (!decoded.ok) return unreadable(`failed to decode list item: ${decoded.error}`);
    append(objects, decoded.value);
  }
  return read(objects);
}

const strictError = (problems: readonly string[]): ReturnType<typeof unreadable> =>
  unreadable(`strict decoding error: ${problems.join(', ')}`);

function collectReadings(
  readings: readonly ConfigurationReading<KubernetesObject>[],
): ConfigurationReading<KubernetesObject[]> {
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

const itemKind = <T extends { readonly kind: string }>(stated: T): T => ({
  ...stated,
  kind: stated.kind.replace(/List$/, ''),
});

/** Upstream's errors name the lines of Go that create the schemes. */
const schemes = {
  policy: 'k8s.io/kubernetes/pkg/admission/plugin/policy/manifest/loader/validating_loader.go:35',
  webhook: 'k8s.io/kubernetes/pkg/admission/plugin/webhook/manifest/loader/loader.go:41',
};
