import type { UserInfo } from './user.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { forbidden as forbiddenStatus, type Status } from '../../machinery/meta/status.ts';

export type AuthorizationQuestion = ResourceQuestion | PathQuestion;

export interface ResourceQuestion {
  readonly type: 'resource';
  readonly user: UserInfo;
  /** get, list, watch, create, update, patch, delete or deletecollection. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** '' for cluster scope; a Namespace and its subresources have its own name. */
  readonly namespace: string;
  /** '' for a collection. */
  readonly name: string;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
}

export interface PathQuestion {
  readonly type: 'path';
  readonly user: UserInfo;
  readonly verb: string;
  readonly path: string;
}

export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
}

export type Authorize = (question: AuthorizationQuestion) => AuthorizationDecision;

/** The first authorizer that allows decides; otherwise all reasons are joined. Follows apiserver pkg/authorization/union/union.go. */
export const unionAuthorizers =
  (authorizers: readonly Authorize[]): Authorize =>
  (question) => {
    const reasons: string[] = [];
    for (const authorize of authorizers) {
      const { allowed, reason } = authorize(question);
      if (allowed) return { allowed, reason };
      if (reason !== '') reasons.push(reason);
    }
    return { allowed: false, reason: reasons.join('\n') };
  };

/** The 403 for a request that was not allowed. Follows apiserver pkg/endpoints/handlers/responsewriters/errors.go. */
export function forbiddenRequest(question: AuthorizationQuestion, reason: string): Status {
  const text = escapeHtml(question.type === 'path' ? pathText(question) : resourceText(question));
  const message = reason === '' ? text : `${text}: ${reason}`;
  if (question.type === 'path') return forbiddenStatus({ group: '', resource: '' }, '', message);
  return forbiddenStatus(question, question.name, message);
}

type QuestionOf<T extends AuthorizationQuestion['type']> = Extract<AuthorizationQuestion, { readonly type: T }>;

const pathText = ({ user, verb, path }: QuestionOf<'path'>): string =>
  `User ${goQuote(user.username)} cannot ${verb} path ${goQuote(path)}`;

function resourceText({ user, verb, group, resource, subresource, namespace }: QuestionOf<'resource'>): string {
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  return `User ${goQuote(user.username)} cannot ${verb} resource ${goQuote(what)} in API group ${goQuote(group)} ${where}`;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
