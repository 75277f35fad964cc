import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { type AuthorizationDecision, type AuthorizationQuestion, forbiddenRequest } from '../auth/authorizer.ts';
import type { UserInfo } from '../auth/user.ts';
import type { ApiRequest } from './api-request.ts';
import type { Exchange } from './exchange.ts';
import type { RequestInfo } from './request-info.ts';
import type { HandlerDeps } from './handler-deps.ts';

/** Identity and authorization, as far as they are known. */
export interface RequestAccess {
  /** Before impersonation. */
  readonly requester?: UserInfo;
  /** After impersonation. */
  readonly user?: UserInfo;
  /** Absent for the legacy verb `impersonate`. */
  readonly constraint?: string;
  readonly decision?: AuthorizationDecision;
}

export interface Arrival {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly requester: UserInfo;
}

export type AdmitUser = (incoming: Pick<Exchange, 'request' | 'info'>) => Promise<Admitted>;

export interface Admitted {
  readonly access: RequestAccess;
  readonly user: Result<UserInfo>;
}

/** Authenticates, impersonates, authorizes. Follows apiserver pkg/server/config.go (rule PATH-1). */
export const createAdmitUser =
  (deps: HandlerDeps, observe: ((arrival: Arrival) => void) | undefined): AdmitUser =>
  async ({ request, info }) => {
    const authenticated = request.as ? ok(request.as) : await deps.authenticate(request);
    if (!authenticated.ok) return { access: {}, user: authenticated };
    const requester = authenticated.value;
    observe?.({ request, info, requester });
    const attributes = withSelectors(questionOf(info, requester), request.query);
    const impersonated = deps.impersonate(attributes, request.headers);
    if (!impersonated.ok) return { access: { requester }, user: impersonated };
    const { user } = impersonated.value;
    const authorization = { ...attributes, user };
    const decision = deps.authorize(authorization);
    const access = { requester, ...impersonated.value, decision };
    return { access, user: decision.allowed ? ok(user) : refuse(forbiddenRequest(authorization, decision.reason)) };
  };

function withSelectors(authorization: AuthorizationQuestion, query: ApiRequest['query']): AuthorizationQuestion {
  const [fieldSelector, labelSelector] = [query.get('fieldSelector'), query.get('labelSelector')];
  if (authorization.type === 'path' || (!fieldSelector && !labelSelector)) return authorization;
  return { ...authorization, fieldSelector: fieldSelector || undefined, labelSelector: labelSelector || undefined };
}

function questionOf(info: RequestInfo, user: UserInfo): AuthorizationQuestion {
  if (info.type === 'path') return { type: 'path', user, verb: info.verb, path: info.path };
  const { verb, group, version, resource, subresource, namespace, name } = info;
  return { type: 'resource', user, verb, group, version, resource, subresource, namespace, name };
}
