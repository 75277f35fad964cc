import { aggregateText } from '../../machinery/errors.ts';
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
  /** Ends the union: later authorizers are not called. */
  readonly denied?: boolean;
  /** Also present beside a decision. */
  readonly error?: string | undefined;
}

/** Asynchronous: it may call a webhook. */
export type Authorize = (question: AuthorizationQuestion) => Promise<AuthorizationDecision>;

export type AuthorizeNow = (question: AuthorizationQuestion) => AuthorizationDecision;

/**
 * The first allow or deny decides; otherwise all reasons and errors are joined. Follows apiserver
 * pkg/authorization/union/union.go.
 */
export function unionAuthorizers(authorizers: readonly (Authorize | AuthorizeNow)[]): Authorize {
  return async (question) => {
    const reasons: string[] = [];
    const errors: string[] = [];
    for (const authorize of authorizers) {
      const decision = await authorize(question);
      if (decision.allowed || decision.denied) return decision;
      if (decision.reason !== '') reasons.push(decision.reason);
      if (decision.error !== undefined) errors.push(decision.error);
    }
    const undecided = { allowed: false, reason: reasons.join('\n') };
    return errors.length === 0 ? undecided : { ...undecided, error: aggregateText(errors) };
  };
}

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

/** The text of a 500 without a Status. */
export const errorBody = (target: string, error: string): string =>
  `${escapeHtml(`Internal Server Error: ${goQuote(target)}: ${error}`)}\n`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
