import { goQuote } from '../../machinery/meta/field-error.ts';
import { forbidden as forbiddenStatus, type Status } from '../../machinery/meta/status.ts';
import type { AuthorizationQuestion } from './authorizer.ts';

/** The 403 for a request that was not allowed. Follows apiserver pkg/endpoints/handlers/responsewriters/errors.go. */
export function notAllowed(question: AuthorizationQuestion, reason: string): Status {
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
