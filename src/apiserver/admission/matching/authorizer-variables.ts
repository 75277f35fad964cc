import type { AuthorizeNow } from '../../auth/authorizer.ts';
import type { UserInfo } from '../../auth/user.ts';
import type { CelAuthorizer, CelAuthorizerQuestion, ServiceAccount } from '../../../cel/index.ts';
import { box } from '../../../cel/vocabulary.ts';
import type { Value } from '../../../cel/vocabulary.ts';
import type { Asker } from './expressions.ts';

/** The variable `authorizer`: what the user of this request may do. */
export const authorizerVariable = (asker: Asker): Value =>
  box('authorizer', { type: 'Authorizer', port: portFor(asker), serviceAccount: undefined });

/** `authorizer.requestResource`: preset with what the request is about (rule CEL-8). */
export function requestResourceVariable(asker: Asker): Value {
  const { resource, subresource, namespace, name } = asker.request;
  const attributes = { group: resource.group, resource: resource.resource, subresource, namespace, name };
  return box('authorizer', {
    type: 'ResourceCheck',
    port: portFor(asker),
    serviceAccount: undefined,
    attributes,
  });
}

const portFor = ({ request: { userInfo }, authorize }: Asker): CelAuthorizer => ({
  check: (question) => {
    const user = question.serviceAccount ? serviceAccountUser(question.serviceAccount) : userInfo;
    return authorize(authorizationQuestion(question, user));
  },
});

function authorizationQuestion(question: CelAuthorizerQuestion, user: UserInfo): Parameters<AuthorizeNow>[0] {
  const { verb } = question;
  if (question.type === 'path') return { type: 'path', user, verb, path: question.path };
  const { serviceAccount: _, ...asked } = question;
  return { ...asked, user, version: '*' };
}

/** Follows apiserver pkg/authentication/serviceaccount/util.go. */
function serviceAccountUser({ namespace, name }: NonNullable<ServiceAccount>): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid: '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    extra: {},
  };
}
