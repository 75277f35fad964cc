import type { UserInfo } from './user.ts';

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
export function anyOf(authorizers: readonly (Authorize | AuthorizeNow)[]): Authorize {
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

/** Follows apimachinery pkg/util/errors/errors.go. */
export function aggregateText(errors: readonly string[]): string {
  const [first = '', ...others] = new Set(errors);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}
