import { byKey } from '../../../machinery/go/strings.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { AuthorizationDecision, AuthorizationQuestion, Authorize, AuthorizeNow } from '../../auth/authorizer.ts';

/**
 * Caches the authorizer's decisions for the CEL expressions of one dispatch. Follows apiserver
 * pkg/admission/plugin/authorizer/caching_authorizer.go.
 */
export interface CachingAuthorizer {
  /**
   * CEL calls the authorizer synchronously, but it may be a webhook: an evaluation that needs an unknown decision
   * restarts once the decision is known. `evaluation` must have no side effects.
   */
  readonly evaluate: <T>(evaluation: (authorize: AuthorizeNow) => T) => Promise<T>;
}

export function createCachingAuthorizer(authorize: Authorize): CachingAuthorizer {
  const decisions = new Map<string, AuthorizationDecision>();
  return {
    evaluate: async (evaluation) => {
      for (;;) {
        let missing: AuthorizationQuestion | undefined;
        const result = evaluation((question) => {
          const decision = decisions.get(questionKey(question));
          if (!decision) missing ??= question;
          return decision ?? undecided;
        });
        if (!missing) return result;
        decisions.set(questionKey(missing), await authorize(missing));
      }
    },
  };
}

/** The placeholder decision in an evaluation that will restart. */
const undecided: AuthorizationDecision = Object.freeze({ allowed: false, reason: '' });

/** Groups and extra values are compared as sets. */
function questionKey({ user, ...attributes }: AuthorizationQuestion): string {
  const { username, uid, groups, extra } = user;
  const extras = Object.entries(extra)
    .map(([name, values]) => [name, values.toSorted()] as const)
    .toSorted(byKey);
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) if (typeof value === 'string') texts[name] = value;
  return writeJson([texts, username, uid, groups.toSorted(), extras.map(([name, values]) => [name, ...values])]);
}
