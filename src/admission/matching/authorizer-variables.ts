import type { Authorize } from '../../auth/authorizer.ts';
import type { UserInfo } from '../../auth/user.ts';
import type { CelAuthorizer, CelAuthorizerQuestion, ServiceAccount } from '../../cel/index.ts';
import { box } from '../../cel/vocabulary.ts';
import type { Value } from '../../cel/vocabulary.ts';
import type { AdmissionAttributes } from '../attributes.ts';

/** The variable `authorizer`: what the user of this request may do. */
export const authorizerVariable = (asker: AdmissionAttributes, authorize: Authorize): Value =>
  box('authorizer', { type: 'Authorizer', port: portFor(asker, authorize), serviceAccount: undefined });

/** `authorizer.requestResource`: preset with what the request is about (rule CEL-8). */
export function requestResourceVariable(asker: AdmissionAttributes, authorize: Authorize): Value {
  const { resource, subresource, namespace, name } = asker;
  const attributes = { group: resource.group, resource: resource.resource, subresource, namespace, name };
  return box('authorizer', {
    type: 'ResourceCheck',
    port: portFor(asker, authorize),
    serviceAccount: undefined,
    attributes,
  });
}

const portFor = ({ userInfo }: AdmissionAttributes, authorize: Authorize): CelAuthorizer => ({
  check: (question) => {
    const user = question.serviceAccount ? serviceAccountUser(question.serviceAccount) : userInfo;
    const { allowed, reason } = authorize(authorizationQuestion(question, user));
    return { allowed, reason };
  },
});

function authorizationQuestion(question: CelAuthorizerQuestion, user: UserInfo): Parameters<Authorize>[0] {
  const { verb } = question;
  if (question.type === 'path') return { type: 'path', user, verb, path: question.path };
  const { group, resource, subresource, namespace, name } = question;
  return { type: 'resource', user, verb, group, version: '*', resource, subresource, namespace, name };
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
