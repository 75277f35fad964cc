import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { createBootstrapRbac } from '../../../src/apiserver/auth/bootstrap-rbac.ts';
import { createTokenVerifier, tokenFileSource } from '../../../src/apiserver/auth/bearer-token.ts';
import { createRbacAuthorizer, createRuleResolver } from '../../../src/apiserver/auth/rbac/rule-resolver.ts';
import { createReviewer } from '../../../src/apiserver/auth/reviews/answer-review.ts';
import { parseTokenFile } from '../../../src/apiserver/auth/token-file.ts';
import { rbacRules } from '../../../src/apiserver/auth/rules-of.ts';
import type { UserInfo } from '../../../src/apiserver/auth/user.ts';
import { binding, clusterOf, user } from './cluster.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const resolver = createRuleResolver(
  clusterOf([...createBootstrapRbac(recordedRelease.bootstrapRbac), binding('ns', 'b', 'view', 'User viewer')]),
);
const reading = parseTokenFile('T,jane,jane-uid,"devs,ops"\n', 'tokens.csv');
const audiences = ['https://kubernetes.default.svc'];
const tokens = reading.outcome === 'read' ? reading.tokens : new Map<string, UserInfo>();
const rbac = createRbacAuthorizer(resolver);
const answerReview = createReviewer({
  authorize: rbac,
  rulesOf: rbacRules(resolver),
  verifyToken: createTokenVerifier([tokenFileSource(tokens, audiences)], audiences),
  now: () => 1_760_000_000_000,
  minor: recordedRelease.minor,
});

const review = (kind: string, fields: JsonObject = {}): KubernetesObject => ({
  kind,
  apiVersion: `${/Token|SelfSubjectReview/.test(kind) ? 'authentication' : 'authorization'}.k8s.io/v1`,
  metadata: {},
  ...fields,
});

const pods = { namespace: 'ns', verb: 'create', resource: 'pods' };
const root = user('admin', 'system:masters');
const alice = user('alice');

// Source: facts/auth-reviews, rules-access-review-exempt.
const answers: readonly [fact: string, review: KubernetesObject, who: UserInfo, answer: JsonObject][] = [
  [
    'a member of system:masters may, without a reason',
    review('SelfSubjectAccessReview', { spec: { resourceAttributes: pods } }),
    root,
    { spec: { resourceAttributes: pods }, status: { allowed: true } },
  ],
  [
    'another user may not',
    review('SubjectAccessReview', { spec: { resourceAttributes: pods, user: 'alice' } }),
    root,
    { spec: { resourceAttributes: pods, user: 'alice' }, status: { allowed: false } },
  ],
  [
    'the reason names the binding',
    review('SubjectAccessReview', { spec: { resourceAttributes: { ...pods, verb: 'get' }, user: 'viewer' } }),
    root,
    { status: { allowed: true, reason: 'RBAC: allowed by RoleBinding "b/ns" of ClusterRole "view" to User "viewer"' } },
  ],
  [
    'a path is asked for everybody in a group',
    review('SubjectAccessReview', {
      spec: { nonResourceAttributes: { path: '/version', verb: 'get' }, groups: ['system:unauthenticated'] },
    }),
    root,
    {
      status: {
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "system:public-info-viewer" of ClusterRole "system:public-info-viewer" to Group "system:unauthenticated"',
      },
    },
  ],
  [
    'SelfSubjectReview shows the user',
    review('SelfSubjectReview'),
    { username: 'bob', uid: '', groups: ['devs', 'system:authenticated'], extra: {} },
    {
      metadata: { creationTimestamp: '2025-10-09T08:53:20Z' },
      status: { userInfo: { username: 'bob', groups: ['devs', 'system:authenticated'] } },
    },
  ],
  [
    'SelfSubjectRulesReview lists the rules in order of the bindings, without the question',
    review('SelfSubjectRulesReview', { spec: { namespace: 'other' } }),
    alice,
    {
      metadata: {},
      spec: {},
      status: {
        resourceRules: [
          {
            verbs: ['create'],
            apiGroups: ['authorization.k8s.io'],
            resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
          },
          { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
        ],
        nonResourceRules: [
          {
            verbs: ['get'],
            nonResourceURLs: [
              '/api',
              '/api/*',
              '/apis',
              '/apis/*',
              '/healthz',
              '/livez',
              '/openapi',
              '/openapi/*',
              '/readyz',
              '/version',
              '/version/',
            ],
          },
          { verbs: ['get'], nonResourceURLs: ['/.well-known', '/.well-known/*'] },
          { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] },
        ],
        incomplete: false,
      },
    },
  ],
  [
    'an unknown token is invalid',
    review('TokenReview', { spec: { token: 'wrong' } }),
    root,
    { spec: { token: 'wrong' }, status: { user: {}, error: 'invalid bearer token' } },
  ],
  [
    'a known token names its user',
    review('TokenReview', { spec: { token: 'T' } }),
    root,
    {
      status: {
        authenticated: true,
        user: { username: 'jane', uid: 'jane-uid', groups: ['devs', 'ops', 'system:authenticated'] },
        audiences,
      },
    },
  ],
  [
    'a token for another audience is invalid',
    review('TokenReview', { spec: { token: 'T', audiences: ['vault'] } }),
    root,
    { status: { user: {}, error: 'invalid bearer token' } },
  ],
  [
    'a local review is for its namespace',
    review('LocalSubjectAccessReview', {
      metadata: { namespace: 'ns' },
      spec: { resourceAttributes: pods, user: 'alice' },
    }),
    root,
    { status: { allowed: false } },
  ],
];

test.each(answers)('%s', async (_fact, asked, who, answer) => {
  const namespace = asked.kind === 'LocalSubjectAccessReview' ? 'ns' : '';
  const result = await answerReview(asked, who, namespace);
  expect(result).toMatchObject({ ok: true, value: { ...answer, kind: asked.kind } });
  // toMatchObject would let more fields through.
  expect(result?.ok === true && result.value['status']).toEqual(answer['status']);
});

const sar = '.authorization.k8s.io "" is invalid: ';

// Source: pkg/apis/authorization/validation/validation_test.go; pkg/registry/authentication/tokenreview/storage.go.
const refusals: readonly [fact: string, review: KubernetesObject, code: number, message: string][] = [
  [
    'no attributes',
    review('SelfSubjectAccessReview', { spec: {} }),
    422,
    `${sar}spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified`,
  ],
  [
    'both attributes and no user',
    review('SubjectAccessReview', {
      spec: { resourceAttributes: {}, nonResourceAttributes: { path: '/', verb: 'get' } },
    }),
    422,
    `${sar}[spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: cannot be specified in combination with resourceAttributes, spec.user: Invalid value: "": at least one of user or group must be specified]`,
  ],
  [
    'a name',
    review('SelfSubjectAccessReview', { metadata: { name: 'x' }, spec: { resourceAttributes: {} } }),
    422,
    `${sar}metadata: Invalid value: {"name":"x"}: must be empty`,
  ],
  [
    'another namespace',
    review('LocalSubjectAccessReview', {
      metadata: { namespace: 'ns' },
      spec: { user: 'a', resourceAttributes: { namespace: 'other' } },
    }),
    422,
    `${sar}spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace`,
  ],
  ['no namespace', review('SelfSubjectRulesReview', { spec: {} }), 400, 'no namespace on request'],
  ['no token', review('TokenReview', { spec: {} }), 400, 'token is required for TokenReview in authentication'],
];

test.each(refusals)('%s is refused', async (_fact, asked, code, message) => {
  const namespace = asked.kind === 'LocalSubjectAccessReview' ? 'ns' : '';
  expect(await answerReview(asked, root, namespace)).toMatchObject({ ok: false, status: { code, message } });
});

test('other kinds are none of its business', async () => {
  await expect(answerReview(review('ConfigMap'), root, '')).resolves.toBeUndefined();
});
