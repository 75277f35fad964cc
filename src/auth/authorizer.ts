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
  /** As the request has it. */
  readonly fieldSelector?: string;
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
}

export type Authorize = (question: AuthorizationQuestion) => AuthorizationDecision;

/** The first who allows it; else everybody's reasons, a line each. Follows apiserver pkg/authorization/union/union.go. */
export const anyOf =
  (...authorizers: readonly Authorize[]): Authorize =>
  (question) => {
    const reasons: string[] = [];
    for (const authorize of authorizers) {
      const decision = authorize(question);
      if (decision.allowed) return decision;
      if (decision.reason !== '') reasons.push(decision.reason);
    }
    return { allowed: false, reason: reasons.join('\n') };
  };
