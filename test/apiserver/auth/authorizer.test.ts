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
    'reasons of all come together',
    [{ allowed: false, reason: 'a' }, no, { allowed: false, reason: 'b' }],
    { allowed: false, reason: 'a\nb' },
  ],
];

test.each(chains)('%s', (_fact, answers, expected) => {
  expect(unionAuthorizers(answers.map((answer) => () => answer))(question)).toEqual(expected);
});
