import { expect, test } from 'vitest';
import { createAbacAuthorizer, readAbacPolicies } from '../../../src/apiserver/auth/abac-authorizer.ts';
import type { AuthorizationQuestion, ResourceQuestion } from '../../../src/apiserver/auth/authorizer.ts';

const policy = (spec: object): string =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
const anything = { apiGroup: '*', resource: '*', namespace: '*' };
const reads = ['get', 'list', 'watch'];

function isAllowed(specs: readonly object[], question: AuthorizationQuestion): boolean {
  const reading = readAbacPolicies(specs.map(policy).join('\n'));
  if (reading.outcome === 'unreadable') throw new Error(`line ${reading.line}`);
  const { allowed, reason } = createAbacAuthorizer(reading.policies)(question);
  expect(reason).toBe(allowed ? '' : 'No policy matched.');
  return allowed;
}

const eve = { username: 'eve', uid: '', groups: ['readers', 'people'], extra: {} };
const resource = (fields: Partial<ResourceQuestion> = {}): ResourceQuestion => ({
  type: 'resource',
  user: eve,
  verb: 'get',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: '',
  namespace: 'ns',
  name: 'web',
  ...fields,
});

// Source: kubernetes pkg/auth/authorizer/abac/abac_test.go TestSubjectMatches.
test.each<[who: object, allowed: boolean]>([
  [{}, false],
  [{ user: 'eve' }, true],
  [{ user: 'ada' }, false],
  [{ user: '*' }, true],
  [{ group: 'people' }, true],
  [{ group: 'writers' }, false],
  [{ group: '*' }, true],
  [{ user: 'eve', group: 'readers' }, true],
  [{ user: 'eve', group: 'writers' }, false],
  [{ user: 'ada', group: 'readers' }, false],
  [{ user: '*', group: 'writers' }, false],
])('a policy for %j is for eve: %s', (who, allowed) => {
  expect(isAllowed([{ ...who, ...anything }], resource())).toBe(allowed);
});

// Source: the same file, TestResourceMatches and TestVerbMatches.
test.each<[what: object, asked: Partial<ResourceQuestion>, allowed: boolean]>([
  [anything, {}, true],
  [{ ...anything, apiGroup: 'apps' }, {}, true],
  [{ ...anything, apiGroup: '' }, {}, false],
  [{ ...anything, resource: 'deployments' }, {}, true],
  [{ ...anything, resource: 'pods' }, {}, false],
  [{ ...anything, namespace: 'ns' }, {}, true],
  [{ ...anything, namespace: 'other' }, {}, false],
  [{ ...anything, namespace: '' }, { namespace: '' }, true],
  [{}, {}, false],
  [{ nonResourcePath: '*' }, {}, false],
  ...reads.map((verb): [object, Partial<ResourceQuestion>, boolean] => [
    { ...anything, readonly: true },
    { verb },
    true,
  ]),
  [{ ...anything, readonly: true }, { verb: 'create' }, false],
  [{ ...anything, readonly: true }, { verb: 'deletecollection' }, false],
  [anything, { verb: 'create' }, true],
])('eve of %j may ask %j: %s', (what, asked, allowed) => {
  expect(isAllowed([{ user: 'eve', ...what }], resource(asked))).toBe(allowed);
});

// Source: the same file, TestNonResourceMatches.
test.each<[pattern: string, path: string, allowed: boolean]>([
  ['*', '/healthz', true],
  ['/healthz', '/healthz', true],
  ['/healthz', '/healthz/etcd', false],
  ['/healthz/*', '/healthz/etcd', true],
  ['/healthz/*', '/healthz', false],
  ['/health*', '/healthz/etcd', true],
  ['', '/healthz', false],
])('a policy for %j is about %s: %s', (nonResourcePath, path, allowed) => {
  const question = { type: 'path', user: eve, verb: 'get', path } as const;
  expect(isAllowed([{ user: 'eve', nonResourcePath }], question)).toBe(allowed);
});

test('the second of two policies allows as well', () => {
  expect(
    isAllowed(
      [
        { user: 'ada', ...anything },
        { user: 'eve', ...anything },
      ],
      resource(),
    ),
  ).toBe(true);
});

test.each<[text: string, line: number]>([
  [`# a comment\n\n${policy({})}\nnone`, 4],
  ['{"kind":"Policy"}', 1],
  ['{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Other"}', 1],
  ['[]', 1],
])('%j cannot be read', (text, line) => {
  expect(readAbacPolicies(text)).toEqual({ outcome: 'unreadable', line });
});
