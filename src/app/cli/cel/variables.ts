import { asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import type { CelAuthorizer, CelAuthorizerRequest } from '../../../cel/index.ts';
import { box, type Value } from '../../../cel/vocabulary.ts';

/** The default of `request`: a create, update or delete by kubernetes-admin. Ours. */
export function defaultRequest(object: JsonValue, oldObject: JsonValue): JsonObject {
  const about = asObject(object ?? oldObject);
  const [group, version] = splitVersion(asString(about['apiVersion']));
  const kind = { group, version, kind: asString(about['kind']) };
  const resource = { group, version, resource: guessResource(kind.kind) };
  return omitEmptyFields({
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
export function readRequestVariable(document: JsonValue): JsonObject {
  const review = asObject(document);
  const { uid: _uid, object: _object, oldObject: _oldObject, ...rest } = admissionRequestIn(review);
  return omitEmptyFields(rest);
}

export function readObjects(document: JsonValue): { readonly object: JsonValue; readonly oldObject: JsonValue } {
  const { object = null, oldObject = null } = admissionRequestIn(asObject(document));
  return { object, oldObject };
}

const admissionRequestIn = (document: JsonObject): JsonObject =>
  document['kind'] === 'AdmissionReview' ? asObject(document['request']) : document;

/** Empty texts are absent (rule CEL-3). */
export const omitEmptyFields = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== ''));

function splitVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

/** Follows apimachinery pkg/api/meta/restmapper.go UnsafeGuessKindToResource. */
function guessResource(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === '' || singular.endsWith('endpoints')) return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

/**
 * `authorizer` and `authorizer.requestResource` over a list of decisions (`verb`, the fields of the question, `user`,
 * `decision`, `reason`, `error`); everything else is denied.
 */
export function authorizerVariables(decisions: readonly JsonValue[], request: JsonValue): ReadonlyMap<string, Value> {
  const about = asObject(request);
  const user = asString(asObject(about['userInfo'])['username']);
  const port: CelAuthorizer = {
    check: (question) => {
      const found = decisions.map(asObject).find((decision) => matchesDecision(decision, question, user));
      const error = found?.['error'];
      return {
        allowed: found?.['decision'] === 'allow',
        reason: asString(found?.['reason']),
        error: typeof error === 'string' ? error : undefined,
      };
    },
  };
  const resource = asObject(about['resource']);
  const attributes = {
    group: asString(resource['group']),
    resource: asString(resource['resource']),
    subresource: asString(about['subResource']),
    namespace: asString(about['namespace']),
    name: asString(about['name']),
  };
  const serviceAccount = undefined;
  return new Map<string, Value>([
    ['authorizer', box('authorizer', { type: 'Authorizer', port, serviceAccount })],
    ['authorizer.requestResource', box('authorizer', { type: 'ResourceCheck', port, serviceAccount, attributes })],
  ]);
}

function matchesDecision(decision: JsonObject, question: CelAuthorizerRequest, user: string): boolean {
  const account = question.serviceAccount;
  const subject = account === undefined ? user : `system:serviceaccount:${account.namespace}:${account.name}`;
  if (decision['verb'] !== question.verb || ![undefined, subject].includes(optionalText(decision['user'])))
    return false;
  if (question.type === 'path') return decision['path'] === question.path;
  const { group, resource, subresource, namespace, name } = question;
  const fields = { group, resource, subresource, namespace, name };
  return (
    decision['path'] === undefined && Object.entries(fields).every(([key, value]) => asString(decision[key]) === value)
  );
}

const optionalText = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
