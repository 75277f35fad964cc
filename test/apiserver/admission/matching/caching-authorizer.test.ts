import { expect, test } from 'vitest';
import { createCachingAuthorizer } from '../../../../src/apiserver/admission/matching/caching-authorizer.ts';
import type { Authorize, AuthorizeNow, PathQuestion } from '../../../../src/apiserver/auth/authorizer.ts';
import { user } from '../../auth/cluster.ts';

const about = (path: string, who = user('jane')): PathQuestion => ({ type: 'path', user: who, verb: 'get', path });

/** Allows paths that begin with `/open`, and records the paths of its questions. */
function recording(): { readonly asked: string[]; readonly authorize: Authorize } {
  const asked: string[] = [];
  const authorize: Authorize = async (question) => {
    const path = question.type === 'path' ? question.path : '';
    asked.push(path);
    return { allowed: path.startsWith('/open'), reason: path };
  };
  return { asked, authorize };
}

const firstOpen =
  (...paths: readonly string[]) =>
  (authorize: AuthorizeNow): string =>
    paths.map((path) => authorize(about(path))).find(({ allowed }) => allowed)?.reason ?? 'none';

// Source: kube-apiserver v1.36.2 asks an authorization webhook what CEL asks, in its order and once for each dispatch.
test('an evaluation calls the authorizer for what it needs, in its order', async () => {
  const { asked, authorize } = recording();
  const untilOpen = (now: AuthorizeNow): string =>
    ['/a', '/open/b', '/c'].find((path) => now(about(path)).allowed) ?? 'none';
  expect(await createCachingAuthorizer(authorize).evaluate(untilOpen)).toBe('/open/b');
  expect(asked).toEqual(['/a', '/open/b']);
});

test('the authorizer decides each question once for all evaluations', async () => {
  const { asked, authorize } = recording();
  const { evaluate } = createCachingAuthorizer(authorize);
  await evaluate(firstOpen('/a', '/a', '/b'));
  await evaluate(firstOpen('/b', '/a'));
  expect(asked).toEqual(['/a', '/b']);
});

test('the order of groups and of extra values makes no difference', async () => {
  const { asked, authorize } = recording();
  const jane = (groups: readonly string[], values: readonly string[]) => ({
    ...user('jane'),
    groups,
    extra: { k: values },
  });
  const { evaluate } = createCachingAuthorizer(authorize);
  await evaluate((now) => [
    now(about('/a', jane(['x', 'y'], ['1', '2']))),
    now(about('/a', jane(['y', 'x'], ['2', '1']))),
    now(about('/a', jane(['y'], ['2', '1']))),
  ]);
  expect(asked).toEqual(['/a', '/a']);
});
