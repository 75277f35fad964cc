import { expect, test } from 'vitest';
import {
  unionAuthorizers,
  type AuthorizationDecision,
  type PathQuestion,
} from '../../../src/apiserver/auth/authorizer.ts';
import { user } from './cluster.ts';

const question: PathQuestion = { type: 'path', user: user('jane'), verb: 'get', path: '/' };
const no: AuthorizationDecision = { allowed: false, reason: '' };

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
    'an error before a decision to allow is dropped',
    [
      { ...no, error: 'a' },
      { allowed: true, reason: '' },
    ],
    { allowed: true, reason: '' },
  ],
];

test.each(chains)('%s', async (_fact, answers, expected) => {
  const synchronous = unionAuthorizers(answers.map((answer) => () => answer));
  expect(await synchronous(question)).toEqual(expected);
  const asynchronous = unionAuthorizers(answers.map((answer) => async () => answer));
  expect(await asynchronous(question)).toEqual(expected);
});
