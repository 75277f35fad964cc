import { byKey } from '../apimachinery/compare-texts.ts';
import type { Eventually } from '../apimachinery/eventually.ts';
import { writeJson } from '../apimachinery/json-writer.ts';
import type { AuthorizationDecision, AuthorizationQuestion, Authorize, AuthorizeNow } from './authorizer.ts';

/** Lets code that decides at once ask authorizers that take their time. */
export interface Decisions {
  /**
   * `run` must do nothing but decide. Where it asks what is not known yet, what it came to is thrown away, and it runs
   * again once the answer is there: so it asks what it would ask of an authorizer that answers at once, in that order.
   */
  readonly decide: <T>(run: (authorize: AuthorizeNow) => Eventually<T>) => Eventually<T>;
}

/**
 * Decisions for as long as one thing is done: no question is asked twice of who takes their time.
 * Follows apiserver pkg/admission/plugin/authorizer/caching_authorizer.go.
 */
export function createDecisions(authorize: Authorize): Decisions {
  const known = new Map<string, AuthorizationDecision>();
  const decide = <T>(run: (authorize: AuthorizeNow) => Eventually<T>): Eventually<T> => {
    let awaited: Awaited | undefined;
    const result = run((question) => {
      if (awaited) return nobodyKnows;
      const remembered = known.size === 0 ? undefined : known.get(keyOf(question));
      const decision = remembered ?? authorize(question);
      if (!(decision instanceof Promise)) return decision;
      awaited = { question, decision };
      return nobodyKnows;
    });
    const again = ({ question, decision }: Awaited): Promise<T> =>
      decision.then((answer) => {
        known.set(keyOf(question), answer);
        return decide(run);
      });
    if (awaited) return again(awaited);
    return result instanceof Promise ? result.then((value) => (awaited ? again(awaited) : value)) : result;
  };
  return { decide };
}

interface Awaited {
  readonly question: AuthorizationQuestion;
  readonly decision: Promise<AuthorizationDecision>;
}

/** What is made of it is thrown away. */
const nobodyKnows: AuthorizationDecision = Object.freeze({ allowed: false, reason: '' });

/** One decision, or a few, that are made at once. */
export const decided = <T>(authorize: Authorize, run: (authorize: AuthorizeNow) => Eventually<T>): Eventually<T> =>
  createDecisions(authorize).decide(run);

/** Two questions with the same key are one, in whatever order groups are said. */
function keyOf({ user, ...asked }: AuthorizationQuestion): string {
  const { username, uid, groups, extra } = user;
  const extras = Object.entries(extra)
    .map(([name, values]) => [name, values.toSorted()] as const)
    .toSorted(byKey);
  const said: Record<string, string> = {};
  for (const [name, value] of Object.entries(asked)) if (typeof value === 'string') said[name] = value;
  return writeJson([said, username, uid, groups.toSorted(), extras.map(([name, values]) => [name, ...values])]);
}
