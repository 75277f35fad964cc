import { trim } from '../../../machinery/go/strings.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import {
  builtInFolder,
  customFolder,
  resourceVersionOf,
  StorageUnavailable,
  type StoredObject,
  type StoreKey,
} from '../../../apiserver/storage/storage.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asList, asObject, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { readStoredJson } from '../../../machinery/json/json-reader.ts';
import { asKubernetesObject, type KubernetesObject, withMetadata } from '../../../machinery/meta/object.ts';
import type { KeyValue } from './wire.ts';

/** Keys below the prefix. */
export interface Layout {
  /** Start of the range of all keys. */
  readonly root: Buffer;
  readonly end: Buffer;
  readonly pathOf: (key: StoreKey) => string;
  /** Prefix of a resource, or of a namespace in it. */
  readonly folderOf: (resource: GroupResource, namespace?: string) => string;
  /** undefined for keys of other data: masterleases, ranges. */
  readonly keyOf: (path: string) => StoreKey | undefined;
}

/**
 * kube-apiserver's layout: built-in objects under their plural, custom ones under GROUP/PLURAL, then namespace and
 * name. `builtIn` are the storage resources of the built-in kinds.
 */
export function createLayout(prefix: string, builtIn: readonly GroupResource[]): Layout {
  const root = `/${trim(prefix, '/')}/`;
  const folders = new Map(builtIn.map((resource) => [builtInFolder(resource.resource), resource]));
  const groupOfBuiltIn = new Map(builtIn.map(({ group, resource }) => [resource, group]));
  const folderOf = ({ group, resource }: GroupResource, namespace?: string): string => {
    const isBuiltIn = groupOfBuiltIn.get(resource) === group;
    const folder = isBuiltIn ? builtInFolder(resource) : customFolder({ group, resource });
    return namespace ? `${root}${folder}/${namespace}/` : `${root}${folder}/`;
  };
  return {
    root: Buffer.from(root),
    end: prefixRangeEnd(root),
    folderOf,
    pathOf: ({ resource, namespace, name }) => folderOf(resource, namespace) + name,
    keyOf: (path) => {
      const [first = '', second = '', ...more] = path.slice(root.length).split('/');
      const alone = folders.get(first);
      if (alone) return keyIn(alone, [second, ...more]);
      const resource = folders.get(`${first}/${second}`) ?? customResource(first, second);
      return resource && keyIn(resource, more);
    },
  };
}

/** The end of the key range of a folder: `0` follows `/`. */
export const prefixRangeEnd = (folder: string): Buffer => Buffer.from(`${folder.slice(0, -1)}0`);

const customResource = (group: string, resource: string): GroupResource | undefined =>
  group.includes('.') && resource !== '' ? { group, resource } : undefined;

function keyIn(resource: GroupResource, segments: readonly string[]): StoreKey | undefined {
  const [first, second, third] = segments;
  if (first === undefined || first === '' || third !== undefined) return undefined;
  return second === undefined ? { resource, namespace: '', name: first } : { resource, namespace: first, name: second };
}

/** As kube-apiserver writes with --storage-media-type=application/json: a line of JSON without resourceVersion. */
export const encodeValue = (object: KubernetesObject): Buffer =>
  Buffer.from(`${writeJson(withMetadata(object, { resourceVersion: undefined }))}\n`);

/** Throws StorageUnavailable for anything but a JSON object. */
export function decodeValue({ key, value, modRevision: revision }: KeyValue): StoredObject {
  const object = asKubernetesObject(readStoredJson(value.toString('utf8')));
  if (!object) throw new StorageUnavailable(`${key.toString()} in etcd ${errorOf(value)}`);
  return {
    object: withMetadata(withPhase(asDefinitionV1(object)), { resourceVersion: resourceVersionOf(revision) }),
    revision,
  };
}

const errorOf = (value: Buffer): string =>
  value.subarray(0, 4).toString('latin1') === 'k8s\0'
    ? 'is protobuf: have kube-apiserver write JSON (--storage-media-type=application/json)'
    : 'is no JSON of an object';

/**
 * kube-apiserver stores these without a phase, which its decoder adds. Follows kubernetes
 * pkg/apis/core/v1/defaults.go.
 */
export function withPhase(object: KubernetesObject): KubernetesObject {
  const phase = object.apiVersion === 'v1' ? firstPhase.get(object.kind) : undefined;
  if (phase === undefined) return object;
  const status = asObject(object['status']);
  return status['phase'] === undefined ? { ...object, status: { phase, ...status } } : object;
}

const firstPhase: ReadonlyMap<string, string> = new Map([
  ['Namespace', 'Active'],
  ['PersistentVolume', 'Pending'],
  ['PersistentVolumeClaim', 'Pending'],
]);

/**
 * kube-apiserver stores CustomResourceDefinitions as v1beta1, with fields shared by all versions at the top. Converts
 * to v1. Follows apiextensions-apiserver pkg/apis/apiextensions/v1/conversion.go and v1beta1/defaults.go.
 */
export function asDefinitionV1(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'CustomResourceDefinition' || object.apiVersion !== v1beta1ApiVersion) return object;
  const { validation, subresources, additionalPrinterColumns, selectableFields, ...spec } = asObject(object['spec']);
  const { preserveUnknownFields, versions, version, conversion, ...others } = spec;
  const listed = asList(versions);
  const served = listed.length > 0 ? listed : [{ name: version ?? '', served: true, storage: true }];
  const shared = {
    ...(isJsonObject(validation) ? { schema: validation } : {}),
    ...(isJsonObject(subresources) ? { subresources } : {}),
    ...(additionalPrinterColumns === undefined ? {} : { additionalPrinterColumns }),
    ...(selectableFields === undefined ? {} : { selectableFields }),
  };
  return {
    ...object,
    apiVersion: current,
    spec: {
      ...others,
      versions: served.map((one) => versionV1({ ...asObject(one), ...shared })),
      ...(isJsonObject(conversion) ? { conversion: conversionV1(conversion) } : {}),
      // The default of v1beta1, from before there were schemas.
      ...(preserveUnknownFields === false ? {} : { preserveUnknownFields: true }),
    },
  };
}

const v1beta1ApiVersion = 'apiextensions.k8s.io/v1beta1';
const current = 'apiextensions.k8s.io/v1';

function versionV1({ additionalPrinterColumns, ...version }: JsonObject): JsonObject {
  if (additionalPrinterColumns === undefined) return version;
  const columns = asList(additionalPrinterColumns).map((column) => {
    const { JSONPath, ...rest } = asObject(column);
    return JSONPath === undefined ? rest : { ...rest, jsonPath: JSONPath };
  });
  return { ...version, additionalPrinterColumns: columns };
}

function conversionV1({ strategy = null, webhookClientConfig, conversionReviewVersions }: JsonObject): JsonObject {
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return { strategy };
  return {
    strategy,
    webhook: {
      ...(webhookClientConfig === undefined ? {} : { clientConfig: webhookClientConfig }),
      ...(conversionReviewVersions === undefined ? {} : { conversionReviewVersions }),
    },
  };
}
