import { parseApiVersion } from '../../machinery/meta/gvk.ts';
import { goTypeOf } from '../../machinery/go/go-print.ts';
import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { notAcceptable, plainError, type Status } from '../../machinery/meta/status.ts';

export interface MetadataForm {
  /** Of meta.k8s.io. */
  readonly version: string;
  readonly isCustom: boolean;
}

/** Follows apiserver pkg/endpoints/handlers/response.go asPartialObjectMetadata. */
export function asPartialObjectMetadata(object: JsonObject, { version, isCustom }: MetadataForm): Result<JsonObject> {
  if (isList(object)) {
    return refuse(
      notAcceptable(
        `you requested PartialObjectMetadata, but the requested object is a list (${goType(object, isCustom)})`,
      ),
    );
  }
  return ok(partial(object, version));
}

/** Follows apiserver pkg/endpoints/handlers/response.go asPartialObjectMetadataList. */
export function asPartialObjectMetadataList(
  object: JsonObject,
  { version, isCustom }: MetadataForm,
): Result<JsonObject> {
  if (!isList(object)) return refuse(isCustom ? noCustomList(object) : noList(goType(object, false)));
  const items = asList(object['items']);
  return ok({
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: withoutEmptyContinue(asObject(object['metadata'])),
    items: items.length === 0 ? null : items.map((item) => partial(asObject(item), version)),
  });
}

const noList = (goType: string): Status =>
  notAcceptable(`you requested PartialObjectMetadataList, but the requested object is not a list (${goType})`);

/**
 * Go takes an unstructured object for a list until it reads the items; the Scale of a custom resource is typed.
 * Follows apimachinery pkg/apis/meta/v1/unstructured/unstructured.go EachListItem.
 */
function noCustomList({ apiVersion, items }: JsonObject): Status {
  if (apiVersion === 'autoscaling/v1') return noList('*v1.Scale');
  return plainError(
    items === undefined ? 'content is not a list' : `content is not a list: ${goTypeOf(items) ?? '<nil>'}`,
  );
}

/** Lists of custom resources have an empty token. */
function withoutEmptyContinue(metadata: JsonObject): JsonObject {
  if (metadata['continue'] !== '') return metadata;
  const { continue: _none, ...others } = metadata;
  return others;
}

const partial = (object: JsonObject, version: string): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata: asObject(object['metadata']),
});

const isList = (object: JsonObject): boolean =>
  asString(object['kind']).endsWith('List') && (Array.isArray(object['items']) || isJsonObject(object['items']));

/** Go's internal type: `*core.ConfigMapList`, `*apps.Deployment`; custom resources are unstructured. */
function goType(object: JsonObject, isCustom: boolean): string {
  if (isCustom) return isList(object) ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured';
  const { group } = parseApiVersion(asString(object['apiVersion']));
  const [pkg = ''] = group.split('.');
  return `*${internalPackages[group] ?? pkg}.${asString(object['kind'])}`;
}

const internalPackages: Readonly<Record<string, string | undefined>> = {
  '': 'core',
  'events.k8s.io': 'core',
  'internal.apiserver.k8s.io': 'apiserverinternal',
};
