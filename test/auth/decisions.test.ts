import { expect, test } from 'vitest';
import { anyOf } from '../../src/auth/authorizer.ts';
import type { AuthorizationDecision, Authorize, AuthorizeNow, PathQuestion } from '../../src/auth/authorizer.ts';
import { createDecisions } from '../../src/auth/decisions.ts';
import { there } from '../harness/there.ts';
import { user } from './cluster.ts';

const about = (path: string, who = user('jane')): PathQuestion => ({ type: 'path', user: who, verb: 'get', path });
const no: AuthorizationDecision = { allowed: false, reason: '' };

/** Lets everybody get what begins with `/open`, after a while, and says what it was asked. */
function slow(): { readonly asked: string[]; readonly authorize: Authorize } {
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
test('who decides at once asks a slow authorizer what it would ask a quick one', async () => {
  const { asked, authorize } = slow();
  const untilOpen = (now: AuthorizeNow): string =>
    ['/a', '/open/b', '/c'].find((path) => now(about(path)).allowed) ?? 'none';
  await expect(createDecisions(authorize).decide(untilOpen)).resolves.toBe('/open/b');
  expect(asked).toEqual(['/a', '/open/b']);
});

test('nothing is asked twice, by one or by the next', async () => {
  const { asked, authorize } = slow();
  const { decide } = createDecisions(authorize);
  await decide(firstOpen('/a', '/a', '/b'));
  await decide(firstOpen('/b', '/a'));
  expect(asked).toEqual(['/a', '/b']);
});

test('the order of groups and of extra values makes no other question', async () => {
  const { asked, authorize } = slow();
  const jane = (groups: readonly string[], values: readonly string[]) => ({
    ...user('jane'),
    groups,
    extra: { k: values },
  });
  const { decide } = createDecisions(authorize);
  await decide((now) => [
    now(about('/a', jane(['x', 'y'], ['1', '2']))),
    now(about('/a', jane(['y', 'x'], ['2', '1']))),
    now(about('/a', jane(['y'], ['2', '1']))),
  ]);
  expect(asked).toEqual(['/a', '/a']);
});

test('work that waits itself is done again too', async () => {
  const { authorize } = slow();
  let runs = 0;
  const run = async (now: AuthorizeNow): Promise<boolean> => {
    runs += 1;
    await Promise.resolve();
    return now(about('/open')).allowed;
  };
  await expect(createDecisions(authorize).decide(run)).resolves.toBe(true);
  expect(runs).toBe(2);
});

test('nobody waits for an authorizer that answers at once', () => {
  const quick: AuthorizeNow = () => ({ allowed: true, reason: 'quick' });
  expect(there(createDecisions(quick).decide(firstOpen('/a')))).toBe('quick');
});

// Source: apiserver pkg/authorization/union/union.go
const chains: readonly [fact: string, answers: readonly AuthorizationDecision[], expected: AuthorizationDecision][] = [
  ['the first that allows it decides', [no, { allowed: true, reason: 'a' }], { allowed: true, reason: 'a' }],
  [
    'one that denies it ends the chain',
    [
      { allowed: false, denied: true, reason: 'never' },
      { allowed: true, reason: 'a' },
    ],
    { allowed: false, denied: true, reason: 'never' },
  ],
  [
    'reasons of all come together',
    [{ allowed: false, reason: 'a' }, no, { allowed: false, reason: 'b' }],
    { allowed: false, reason: 'a\nb' },
  ],
  [
    'errors too, each once',
    [
      { ...no, error: 'a' },
      { ...no, error: 'a' },
      { ...no, error: 'b' },
    ],
    { allowed: false, reason: '', error: '[a, b]' },
  ],
  [
    'an error before somebody allows it is forgotten',
    [
      { ...no, error: 'a' },
      { allowed: true, reason: '' },
    ],
    { allowed: true, reason: '' },
  ],
];

test.each(chains)('%s', async (_fact, answers, expected) => {
  const quick = anyOf(answers.map((answer) => () => answer));
  expect(quick(about('/'))).toEqual(expected);
  const late = anyOf(answers.map((answer) => async () => answer));
  await expect(late(about('/'))).resolves.toEqual(expected);
});
