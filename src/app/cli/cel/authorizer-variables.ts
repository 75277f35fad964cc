import { asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { CelAuthorizer, CelAuthorizerRequest } from '../../../cel/index.ts';
import { box, type Value } from '../../../cel/vocabulary.ts';

/**
 * `authorizer` and `authorizer.requestResource` over a list of decisions (`verb`, the fields of the question, `user`,
 * `decision`, `reason`, `error`); everything else is denied.
 */
export function authorizerVariables(decisions: readonly JsonValue[], request: JsonValue): ReadonlyMap<string, Value> {
  const about = asObject(request);
  const user = asString(asObject(about['userInfo'])['username']);
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

function answers(decision: JsonObject, question: CelAuthorizerRequest, user: string): boolean {
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
