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

/** Asynchronous, since a webhook may be one of the authorizers. */
export type Authorize = (question: AuthorizationQuestion) => Promise<AuthorizationDecision>;

/** An authorizer without I/O. */
export type AuthorizeNow = (question: AuthorizationQuestion) => AuthorizationDecision;

/**
 * The first authorizer that allows or denies decides; without one the decision has all reasons, a line each, and all errors.
 * Follows apiserver pkg/authorization/union/union.go.
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
