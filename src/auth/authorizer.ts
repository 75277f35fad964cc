import { whenKnown } from '../apimachinery/eventually.ts';
import type { Eventually } from '../apimachinery/eventually.ts';
import type { UserInfo } from './user.ts';

/** One question to the authorizer. Resource requests name a verb on a resource, others a verb on a path. */
export type AuthorizationQuestion = ResourceQuestion | PathQuestion;

export interface ResourceQuestion {
  readonly type: 'resource';
  readonly user: UserInfo;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** As the request has them. */
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
}

export interface PathQuestion {
  readonly type: 'path';
  readonly user: UserInfo;
  readonly verb: string;
  readonly path: string;
}

/** `reason` says which binding allowed it; empty for a denial by default. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** Who comes later is not asked. */
  readonly denied?: boolean;
  /** What kept an authorizer from deciding, or came with its decision. */
  readonly error?: string | undefined;
}

/** Some authorizers ask others: then the decision is not there at once. */
export type Authorize = (question: AuthorizationQuestion) => Eventually<AuthorizationDecision>;

/** An authorizer that has to ask nobody. */
export type AuthorizeNow = (question: AuthorizationQuestion) => AuthorizationDecision;

/**
 * The first who allows or denies it; else everybody's reasons, a line each, and their errors.
 * Follows apiserver pkg/authorization/union/union.go.
 */
export function anyOf(authorizers: readonly AuthorizeNow[]): AuthorizeNow;
export function anyOf(authorizers: readonly Authorize[]): Authorize;
export function anyOf(authorizers: readonly Authorize[]): Authorize {
  return (question) => askFrom(0, { authorizers, question, reasons: [], errors: [] });
}

interface Asking {
  readonly authorizers: readonly Authorize[];
  readonly question: AuthorizationQuestion;
  readonly reasons: string[];
  readonly errors: string[];
}

function askFrom(start: number, asking: Asking): Eventually<AuthorizationDecision> {
  const { authorizers, question, reasons, errors } = asking;
  for (const [index, authorize] of authorizers.entries()) {
    if (index < start) continue;
    const decision = authorize(question);
    if (decision instanceof Promise) {
      return decision.then((known) => (settles(known, asking) ? known : askFrom(index + 1, asking)));
    }
    if (settles(decision, asking)) return decision;
  }
  const undecided = { allowed: false, reason: reasons.join('\n') };
  return errors.length === 0 ? undecided : { ...undecided, error: aggregateText(errors) };
}

function settles({ allowed, denied, reason, error }: AuthorizationDecision, { reasons, errors }: Asking): boolean {
  if (allowed || denied) return true;
  if (reason !== '') reasons.push(reason);
  if (error !== undefined) errors.push(error);
  return false;
}

/** Follows apimachinery pkg/util/errors/errors.go. */
export function aggregateText(errors: readonly string[]): string {
  const [first = '', ...others] = new Set(errors);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}

/** What comes of an answer, at once where nobody has to be asked. */
export const whenAuthorized = <T>(
  authorize: Authorize,
  question: AuthorizationQuestion,
  act: (decision: AuthorizationDecision) => Eventually<T>,
): Eventually<T> => whenKnown(authorize(question), act);
