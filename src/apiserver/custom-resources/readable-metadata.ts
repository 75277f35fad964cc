import { readableMeta } from '../../api/crd/embedded.ts';
import {
  asObject,
  asString,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';

/**
 * Drops metadata fields of a wrong type, as storage does; an owner's wrong name is empty, as for validation. Follows
 * apimachinery pkg/apis/meta/v1/unstructured/unstructured.go GetOwnerReferences, apiextensions-apiserver
 * pkg/apiserver/schema/objectmeta/coerce.go.
 */
export function withReadableMetadata(object: KubernetesObject): KubernetesObject {
  const metadata: JsonObject = asObject(object.metadata);
  const { ownerReferences } = metadata;
  const seen = ownerReferences === undefined ? metadata : { ...metadata, ownerReferences: ownersSeen(ownerReferences) };
  return { ...object, metadata: readableMeta(seen) };
}

/** An entry that is no object empties the list. */
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
