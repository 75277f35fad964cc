import { byKey } from '../../../machinery/go/compare-texts.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { AuthorizationDecision, AuthorizationQuestion, Authorize, AuthorizeNow } from '../../auth/authorizer.ts';

/** The authorizer of the CEL expressions of one dispatch: it decides each question once. */
export interface CachingAuthorizer {
  /**
   * CEL evaluates `authorizer…check()` synchronously, and an authorizer may be a webhook. So an evaluation that needs an
   * unknown decision is discarded, and starts again when the decision is known. `evaluation` must have no side effects.
   */
  readonly evaluate: <T>(evaluation: (authorize: AuthorizeNow) => T) => Promise<T>;
}

/** Follows apiserver pkg/admission/plugin/authorizer/caching_authorizer.go. */
export function createCachingAuthorizer(authorize: Authorize): CachingAuthorizer {
  const decisions = new Map<string, AuthorizationDecision>();
  return {
    evaluate: async (evaluation) => {
      for (;;) {
        let missing: AuthorizationQuestion | undefined;
        const result = evaluation((question) => {
          const decision = decisions.get(keyOf(question));
          if (!decision) missing ??= question;
          return decision ?? unknown;
        });
        if (!missing) return result;
        decisions.set(keyOf(missing), await authorize(missing));
      }
    },
  };
}

/** Takes the place of a decision in an evaluation that is discarded. */
const unknown: AuthorizationDecision = Object.freeze({ allowed: false, reason: '' });

/** The order of groups and of extra values makes no difference. */
function keyOf({ user, ...attributes }: AuthorizationQuestion): string {
  const { username, uid, groups, extra } = user;
  const extras = Object.entries(extra)
    .map(([name, values]) => [name, values.toSorted()] as const)
    .toSorted(byKey);
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) if (typeof value === 'string') texts[name] = value;
  return writeJson([texts, username, uid, groups.toSorted(), extras.map(([name, values]) => [name, ...values])]);
}
