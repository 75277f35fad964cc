import { readableMeta } from '../../api/crd/embedded.ts';
import { asObject, asString, isJsonObject, isList } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';

/**
 * A custom resource with what can be read of the metadata that webhooks left: a field of a wrong type is gone, as storage drops
 * it, and an owner's name that is no text is empty, as validation sees it. Follows apimachinery
 * pkg/apis/meta/v1/unstructured/unstructured.go GetOwnerReferences, apiextensions-apiserver pkg/apiserver/schema/objectmeta/coerce.go.
 */
export function withReadableMetadata(object: KubernetesObject): KubernetesObject {
  const metadata: JsonObject = asObject(object.metadata);
  const { ownerReferences } = metadata;
  const seen = ownerReferences === undefined ? metadata : { ...metadata, ownerReferences: ownersSeen(ownerReferences) };
  return { ...object, metadata: readableMeta(seen) };
}

/** One that is no object, and there are none. */
const ownersSeen = (owners: JsonValue): JsonValue =>
  isList(owners) && owners.every(isJsonObject)
    ? owners.map((owner) => ({
        ...owner,
        apiVersion: asString(owner['apiVersion']),
        kind: asString(owner['kind']),
        name: asString(owner['name']),
        uid: asString(owner['uid']),
      }))
    : null;
