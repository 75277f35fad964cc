import { asObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';

/** What a case that gives no attributes is about. */
const standard: JsonObject = {
  operation: 'CREATE',
  name: 'endpoints1',
  namespace: 'default',
  username: 'alice',
  uid: 'u-1',
  groups: ['system:authenticated'],
  version: 'v1',
  kind: 'Endpoints',
  resource: 'endpoints',
};

/** The `request` of the admission attributes that a case lists; empty texts are absent (rule CEL-3). */
export function requestOfAttributes(given: JsonValue): JsonObject {
  const from = given === null ? standard : asObject(given);
  const { version = '', group = '', username, uid, groups, extra } = from;
  const kind = { group, version, kind: from['kind'] };
  const resource = { group, version, resource: from['resource'] };
  return present({
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    subResource: from['subresource'],
    requestSubResource: from['subresource'],
    name: from['name'],
    namespace: from['namespace'],
    operation: from['operation'],
    userInfo: present({ username, uid, groups, extra }),
    dryRun: from['dryRun'] ?? false,
  });
}

const present = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== ''));
