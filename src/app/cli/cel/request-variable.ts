import { asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';

/** The default of `request`: a create, update or delete by kubernetes-admin. Ours. */
export function requestFor(object: JsonValue, oldObject: JsonValue): JsonObject {
  const about = asObject(object ?? oldObject);
  const [group, version] = splitVersion(asString(about['apiVersion']));
  const kind = { group, version, kind: asString(about['kind']) };
  const resource = { group, version, resource: resourceGuess(kind.kind) };
  return present({
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    name: asString(valueAt(about, 'metadata', 'name')),
    namespace: asString(valueAt(about, 'metadata', 'namespace')),
    operation: object === null && oldObject !== null ? 'DELETE' : oldObject === null ? 'CREATE' : 'UPDATE',
    userInfo: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
    dryRun: false,
  });
}

/** An AdmissionReview or its `request`, without uid and objects. */
export function requestOf(document: JsonValue): JsonObject {
  const review = asObject(document);
  const { uid: _uid, object: _object, oldObject: _oldObject, ...rest } = requestPart(review);
  return present(rest);
}

export function objectsOf(document: JsonValue): { readonly object: JsonValue; readonly oldObject: JsonValue } {
  const { object = null, oldObject = null } = requestPart(asObject(document));
  return { object, oldObject };
}

const requestPart = (document: JsonObject): JsonObject =>
  document['kind'] === 'AdmissionReview' ? asObject(document['request']) : document;

/** Empty texts are absent (rule CEL-3). */
const present = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== ''));

function splitVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

/** Follows apimachinery pkg/api/meta/restmapper.go UnsafeGuessKindToResource. */
function resourceGuess(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === '' || singular.endsWith('endpoints')) return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
