import { asObject, asString } from '../../src/apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../src/apimachinery/json.ts';
import type { CelAuthorizer, CelAuthorizerQuestion } from '../../src/cel/library/authorizer-value.ts';
import { box } from '../../src/cel/value.ts';
import type { Value } from '../../src/cel/value.ts';

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

const present = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== ''));

/** The `request` variable of the admission attributes that a case gives; empty strings are absent. */
export function requestOf(given: JsonValue): JsonObject {
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
    name: from['name'],
    namespace: from['namespace'],
    operation: from['operation'],
    userInfo: present({ username, uid, groups, extra }),
    dryRun: from['dryRun'] ?? false,
  });
}

/** `authorizer` and `authorizer.requestResource` over a list of decisions; everything else is no opinion. */
export function authorizerOf(decisions: readonly JsonValue[], request: JsonObject): ReadonlyMap<string, Value> {
  const user = asString(asObject(request['userInfo'])['username']);
  const port: CelAuthorizer = {
    check: (question) => {
      const found = decisions.map(asObject).find((decision) => answers(decision, question, user));
      const error = found?.['error'];
      return {
        allowed: found?.['decision'] === 'allow',
        reason: asString(found?.['reason']),
        error: typeof error === 'string' ? error : undefined,
      };
    },
  };
  const attributes = {
    group: asString(asObject(request['resource'])['group']),
    resource: asString(asObject(request['resource'])['resource']),
    subresource: asString(request['subResource']),
    namespace: asString(request['namespace']),
    name: asString(request['name']),
  };
  const serviceAccount = undefined;
  return new Map<string, Value>([
    ['authorizer', box('authorizer', { type: 'Authorizer', port, serviceAccount })],
    ['authorizer.requestResource', box('authorizer', { type: 'ResourceCheck', port, serviceAccount, attributes })],
  ]);
}

function answers(decision: JsonObject, question: CelAuthorizerQuestion, user: string): boolean {
  const account = question.serviceAccount;
  const asker = account === undefined ? user : `system:serviceaccount:${account.namespace}:${account.name}`;
  if (decision['verb'] !== question.verb || ![undefined, asker].includes(asStringOrNothing(decision['user'])))
    return false;
  if (question.type === 'path') return decision['path'] === question.path;
  const { group, resource, subresource, namespace, name } = question;
  const fields = { group, resource, subresource, namespace, name };
  return (
    decision['path'] === undefined && Object.entries(fields).every(([key, value]) => asString(decision[key]) === value)
  );
}

const asStringOrNothing = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
