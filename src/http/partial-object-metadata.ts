import { parseApiVersion } from '../apimachinery/gvk.ts';
import { mapInTurns } from '../apimachinery/in-turns.ts';
import { asList, asObject, asString, isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import { ok, refuse } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import { notAcceptable } from '../apimachinery/status.ts';

/**
 * The object reduced to its metadata. `version` is that of meta.k8s.io.
 * Follows apiserver pkg/endpoints/handlers/response.go asPartialObjectMetadata.
 */
export function asPartialObjectMetadata(object: JsonObject, version: string): Result<JsonObject> {
  if (isList(object)) {
    return refuse(
      notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (${goType(object)})`),
    );
  }
  return ok(partial(object, version));
}

/** The list with every item reduced. Follows apiserver pkg/endpoints/handlers/response.go asPartialObjectMetadataList. */
export function asPartialObjectMetadataList(object: JsonObject, version: string): Result<JsonObject> {
  if (!isList(object)) {
    return refuse(
      notAcceptable(
        `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(object)})`,
      ),
    );
  }
  return ok({
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: asObject(object['metadata']),
    items: mapInTurns(asList(object['items']), (item) => partial(asObject(item), version)),
  });
}

const partial = (object: JsonObject, version: string): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata: asObject(object['metadata']),
});

const isList = (object: JsonObject): boolean =>
  asString(object['kind']).endsWith('List') && (Array.isArray(object['items']) || isJsonObject(object['items']));

/** Go's name of the internal type: `*core.ConfigMapList`, `*apps.Deployment`. */
function goType(object: JsonObject): string {
  const { group } = parseApiVersion(asString(object['apiVersion']));
  const [pkg = ''] = group.split('.');
  return `*${pkg === '' ? 'core' : pkg}.${asString(object['kind'])}`;
}
