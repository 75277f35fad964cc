import { dropInvalidMetadata } from '../../api/crd/embedded.ts';
import type { Codec, Converted } from '../../api/codec/codec.ts';
import type { Decoded } from '../../api/codec/decode.ts';
import type { CustomType } from '../../api/crd/custom-type.ts';
import type { ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import { plainValue } from '../../machinery/json/json-reader.ts';
import {
  asObject,
  asString,
  isJsonObject,
  isList,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { apiVersionOf, type GroupVersionKind, parseApiVersion, compareVersionNames } from '../../machinery/meta/gvk.ts';
import { asKubernetesObject, type KubernetesObject, metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { ConvertObject } from './converter.ts';
import { acceptedNames, definitionGroup, versionNamed, versionsOf, requestedNames } from './definition.ts';
import type { CrdEngine } from './engine.ts';

export interface Converting {
  readonly converter: ConvertObject;
}

/**
 * Other kinds are delegated to the built-in codec. Follows apiextensions-apiserver
 * pkg/apiserver/customresource_handler.go.
 */
export function createCustomCodec(custom: CustomVersion, builtin: Codec, { converter }: Converting): Codec {
  const { definition, engine } = custom;
  const group = definitionGroup(definition);
  const { kind: ownKind } = acceptedNames(definition);
  const isOwn = ({ group: ofGroup, kind }: GroupVersionKind): boolean => ofGroup === group && kind === ownKind;
  const typeOf = (kind: GroupVersionKind): CustomType | undefined =>
    isOwn(kind) ? engine.customType(definition, kind.version) : undefined;
  /** Accepts any version of the kind; a later stage refuses wrong ones. */
  const bodyType = (kind: GroupVersionKind): CustomType | undefined =>
    isOwn(kind) ? engine.customType(definition, asString(custom.version['name'])) : undefined;
  const typeOfObject = (object: KubernetesObject): CustomType | undefined => typeOf(kindOf(object));
  const convert = async (object: KubernetesObject, kind: GroupVersionKind): Promise<Converted> => {
    if (!isOwn(kind)) return builtin.convert(object, kind);
    const to = apiVersionOf(kind);
    if (object.apiVersion === to) return { outcome: 'converted', object };
    const problem = versionProblem(custom, object, kind);
    if (problem !== '') return { outcome: 'inconvertible', error: problem, isBare: true };
    return converter(object, to);
  };
  const convertStored = async (object: KubernetesObject, kind: GroupVersionKind): Promise<Converted> => {
    const converted = await convert(object, kind);
    const type = typeOf(kind);
    if (converted.outcome === 'inconvertible' || !type) return converted;
    return { outcome: 'converted', object: type.prune(converted.object) };
  };
  return {
    ...builtin,
    ...createDecoders(bodyType, builtin),
    foreign: (sent, endpoint) => (isOwn(endpoint) ? undefined : builtin.foreign(sent, endpoint)),
    ...createDefaulters(typeOfObject, builtin),
    convert,
    convertInto: (object, kind, existing) =>
      isOwn(kind) ? convert(object, kind) : builtin.convertInto(object, kind, existing),
    fromStorage: async (stored, kind) => {
      const object = readStored(stored, typeOfObject(stored));
      if (object.apiVersion === apiVersionOf(kind)) return { outcome: 'converted', object };
      const converted = await convertStored(withoutResourceVersion(object), kind);
      return restoreResourceVersion(converted, metadataOf(object).resourceVersion);
    },
    // A dry run keeps the number. Follows apiserver pkg/registry/generic/registry/dryrun.go copyInto.
    toStorage: (object, kind, { dryRun } = { dryRun: false }) =>
      convertStored(dryRun ? object : withoutResourceVersion(object), kind),
  };
}

/** Without an internal version, both are the same. */
function createDefaulters(
  typeFor: (object: KubernetesObject) => CustomType | undefined,
  builtin: Codec,
): Pick<Codec, 'applyDefaults' | 'setDefaults'> {
  return {
    applyDefaults: (object) => typeFor(object)?.applyDefaults(object) ?? builtin.applyDefaults(object),
    setDefaults: (object) => typeFor(object)?.applyDefaults(object) ?? builtin.setDefaults(object),
  };
}

function createDecoders(
  typeFor: (kind: GroupVersionKind) => CustomType | undefined,
  builtin: Codec,
): Pick<Codec, 'decode' | 'decodeValue' | 'decodeMerged'> {
  return {
    decode: (text, kind) => {
      const type = typeFor(kind);
      return type ? type.decode(text) : decodeOther(text.value, kind, () => builtin.decode(text, kind));
    },
    decodeValue: (value, kind) => {
      const type = typeFor(kind);
      return type ? type.decodeValue(value) : decodeOther(value, kind, () => builtin.decodeValue(value, kind));
    },
    decodeMerged: (value, kind) => typeFor(kind)?.decodeMerged(value),
  };
}

const withoutResourceVersion = (object: KubernetesObject): KubernetesObject =>
  withMetadata(object, { resourceVersion: undefined });

/** Storage sets the resourceVersion after conversion. */
const restoreResourceVersion = (converted: Converted, resourceVersion: string | undefined): Converted =>
  converted.outcome === 'converted'
    ? { outcome: 'converted', object: withMetadata(converted.object, { resourceVersion }) }
    : converted;

const kindOf = ({ apiVersion, kind }: KubernetesObject): GroupVersionKind => ({ ...parseApiVersion(apiVersion), kind });

/** A body of an unknown version passes, and the stage that compares versions refuses it. */
function decodeOther(value: JsonDocument, kind: GroupVersionKind, builtin: () => Decoded): Decoded {
  if (kind.group === 'autoscaling' || kind.group === 'meta.k8s.io') return builtin();
  const plain = plainValue(value);
  const stated = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  const object = asKubernetesObject(isJsonObject(plain) ? { ...plain, ...stated } : stated);
  return { outcome: 'decoded', object: object ?? stated, strict: [] };
}

/** Follows apiextensions-apiserver pkg/apiserver/conversion/converter.go. */
function versionProblem({ definition }: CustomVersion, object: KubernetesObject, kind: GroupVersionKind): string {
  const from = kindOf(object);
  if (from.group !== kind.group) {
    const sent = `${from.group}/${from.version}, Kind=${from.kind}`;
    return `${sent} is unstructured and is not suitable for converting to "${apiVersionOf(kind)}"`;
  }
  if (versionNamed(definition, kind.version) === undefined) {
    return `request to convert CR to an invalid group/version: ${apiVersionOf(kind)}`;
  }
  if (versionNamed(definition, from.version) === undefined) {
    return `request to convert CR from an invalid group/version: ${object.apiVersion}`;
  }
  return '';
}

const readStored = (stored: KubernetesObject, type: CustomType | undefined): KubernetesObject =>
  type ? type.applyDefaults(type.prune(stored)) : stored;

/** The warning about a deprecated version. Follows customresource_handler.go. */
export function customDeprecation({ definition, version }: CustomVersion): string | undefined {
  if (version['deprecated'] !== true) return undefined;
  const { deprecationWarning } = version;
  if (typeof deprecationWarning === 'string') return deprecationWarning;
  const group = definitionGroup(definition);
  const { kind } = requestedNames(definition);
  const own = asString(version['name']);
  const [newest] = versionsOf(definition)
    .filter(({ served, deprecated }) => served === true && deprecated !== true)
    .map(({ name }) => asString(name))
    .filter((name) => compareVersionNames(own, name) < 0)
    .toSorted((a, b) => compareVersionNames(b, a));
  const text = `${apiVersionOf({ group, version: own })} ${kind} is deprecated`;
  return newest === undefined ? text : `${text}; use ${apiVersionOf({ group, version: newest })} ${kind}`;
}

/** A catalogue row from a CustomResourceDefinition. */
export interface CustomRow extends ResourceInfo {
  readonly custom: CustomVersion;
}

/** As it was when the row was created. */
export interface CustomVersion {
  readonly definition: KubernetesObject;
  /** The entry of `spec.versions`. */
  readonly version: JsonObject;
  readonly engine: CrdEngine;
}

export const isCustomRow = (row: ResourceInfo): row is CustomRow => 'custom' in row;

/**
 * Drops metadata fields of a wrong type, as storage does; an owner's wrong name is empty, as for validation. Follows
 * apimachinery pkg/apis/meta/v1/unstructured/unstructured.go GetOwnerReferences, apiextensions-apiserver
 * pkg/apiserver/schema/objectmeta/coerce.go.
 */
export function withReadableMetadata(object: KubernetesObject): KubernetesObject {
  const metadata: JsonObject = asObject(object.metadata);
  const { ownerReferences } = metadata;
  const seen = ownerReferences === undefined ? metadata : { ...metadata, ownerReferences: readOwners(ownerReferences) };
  return { ...object, metadata: dropInvalidMetadata(seen) };
}

/** An entry that is no object empties the list. */
const readOwners = (owners: JsonValue): JsonValue =>
  isList(owners) && owners.every(isJsonObject)
    ? owners.map((owner) => ({
        ...owner,
        apiVersion: asString(owner['apiVersion']),
        kind: asString(owner['kind']),
        name: asString(owner['name']),
        uid: asString(owner['uid']),
      }))
    : null;
