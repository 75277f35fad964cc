import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { asObject, type JsonObject } from '../../../src/machinery/json/json.ts';
import { createTokenVerifier } from '../../../src/apiserver/auth/bearer-token.ts';
import { decodeJwt } from '../../../src/apiserver/auth/jwt.ts';
import { answerTokenRequest, completeTokenRequest } from '../../../src/apiserver/auth/reviews/token-request.ts';
import {
  issueServiceAccountToken,
  serviceAccountSource,
  type TokenClaims,
} from '../../../src/apiserver/auth/service-account-token.ts';
import { clusterOf } from './cluster.ts';

const issuer = 'https://kubernetes.default.svc';
// A signature that anybody could make, but only for the text it is of.
const seal = (text: string): string =>
  String(Array.from(text).reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1e9, 7));
const sealed = (text: string): string => `${text}.${seal(text)}`;
const encoded = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const start = 1_760_000_000_000;
const ports = {
  issuer,
  signJwt: async (claims: JsonObject) => sealed(`${encoded({ alg: 'ES256', kid: 'k' })}.${encoded(claims)}`),
  newUid: () => 'uid-1',
  now: () => start,
} as const;
/** `path` is the name, or the namespace and the name. */
function object(kind: string, path: string, uid: string, more: JsonObject = {}): KubernetesObject {
  const [name = '', namespace] = path.split('/').toReversed();
  return {
    kind,
    apiVersion: 'v1',
    metadata: namespace === undefined ? { name, uid } : { name, namespace, uid },
    ...more,
  };
}
const account = object('ServiceAccount', 'ns/robot', 'sa-uid');
const pod = object('Pod', 'ns/p', 'pod-uid', { spec: { serviceAccountName: 'robot', nodeName: 'n' } });
const node = object('Node', 'n', 'node-uid');
const order: TokenClaims = {
  namespace: 'ns',
  name: 'robot',
  uid: 'sa-uid',
  audiences: [issuer],
  expirationSeconds: 3600,
  bound: { kind: 'Pod', name: 'p', uid: 'pod-uid' },
  node: { name: 'n', uid: 'node-uid' },
};

const verify = (objects: readonly KubernetesObject[], now = start): ReturnType<typeof createTokenVerifier> =>
  createTokenVerifier(
    [
      serviceAccountSource({
        issuers: [issuer],
        cluster: clusterOf(objects),
        now: () => now,
        verifyJwt: async ({ token }) => token === sealed(token.slice(0, token.lastIndexOf('.'))),
      }),
    ],
    [issuer],
  );

// Source: pkg/serviceaccount/claims_test.go.
test('the claims are those of upstream, in its order', async () => {
  const jwt = decodeJwt(await issueServiceAccountToken(order, ports));
  expect(JSON.stringify(jwt?.claims)).toBe(
    JSON.stringify({
      aud: [issuer],
      exp: 1_760_003_600,
      iat: 1_760_000_000,
      iss: issuer,
      jti: 'uid-1',
      'kubernetes.io': {
        namespace: 'ns',
        node: { name: 'n', uid: 'node-uid' },
        pod: { name: 'p', uid: 'pod-uid' },
        serviceaccount: { name: 'robot', uid: 'sa-uid' },
      },
      nbf: 1_760_000_000,
      sub: 'system:serviceaccount:ns:robot',
    }),
  );
});

test('the user carries what the token is bound to', async () => {
  expect(await verify([account, pod])(await issueServiceAccountToken(order, ports))).toEqual({
    outcome: 'verified',
    audiences: [issuer],
    user: {
      username: 'system:serviceaccount:ns:robot',
      uid: 'sa-uid',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
      extra: {
        'authentication.kubernetes.io/credential-id': ['JTI=uid-1'],
        'authentication.kubernetes.io/node-name': ['n'],
        'authentication.kubernetes.io/node-uid': ['node-uid'],
        'authentication.kubernetes.io/pod-name': ['p'],
        'authentication.kubernetes.io/pod-uid': ['pod-uid'],
      },
    },
  });
});

const later = start + 4000 * 1000;
const reborn = object('ServiceAccount', 'ns/robot', 'new-uid');

interface Circumstances {
  readonly objects?: readonly KubernetesObject[];
  readonly now?: number;
  readonly audiences?: readonly string[];
}

// Source: pkg/serviceaccount/claims.go, jwt.go.
const refused: readonly [fact: string, circumstances: Circumstances, error: string][] = [
  ['it has expired', { now: later }, 'service account token has expired'],
  ['it is not valid yet', { now: start - 3_600_000 }, 'service account token is not valid yet'],
  ['its account is gone', { objects: [pod] }, 'serviceaccounts "robot" not found'],
  [
    'its account was made again',
    { objects: [reborn, pod] },
    'service account UID (new-uid) does not match claim (sa-uid)',
  ],
  ['its pod is gone', { objects: [account] }, 'service account token has been invalidated'],
  [
    'it is for others',
    { audiences: ['vault'] },
    'token audiences ["https://kubernetes.default.svc"] is invalid for the target audiences ["vault"]',
  ],
];

test.each(refused)('a token is refused when %s', async (_fact, { objects, now, audiences }, error) => {
  const token = await issueServiceAccountToken(order, ports);
  const verdict = await verify(objects ?? [account, pod], now)(token, audiences ?? [issuer]);
  // kube-apiserver v1.36.2 answers so.
  expect(verdict).toEqual({ outcome: 'invalid', error: `[invalid bearer token, ${error}]` });
});

// Follows go-jose jwt/validation.go ValidateWithLeeway: clocks may differ by a minute.
const second = start / 1000;
test.each<[claims: JsonObject, error: string | undefined]>([
  [{}, undefined],
  [{ exp: second - 60 }, undefined],
  [{ exp: second - 61 }, 'service account token has expired'],
  [{ nbf: second + 60 }, undefined],
  [{ nbf: second + 61 }, 'service account token is not valid yet'],
  [{ iat: second + 60 }, undefined],
  [{ iat: second + 61 }, 'service account token is issued in the future'],
  [{ iat: second - 1e6, nbf: second - 1e6 }, undefined],
])('with the times %j a token is refused because of: %s', async (times, error) => {
  const issued = await issueServiceAccountToken(order, ports);
  const [head = '', claims = ''] = issued.split('.');
  const {
    exp: _exp,
    nbf: _nbf,
    iat: _iat,
    ...rest
  } = asObject(JSON.parse(Buffer.from(claims, 'base64url').toString()));
  const text = `${head}.${Buffer.from(JSON.stringify({ ...rest, ...times })).toString('base64url')}`;
  expect(await verify([account, pod])(sealed(text))).toMatchObject(
    error === undefined ? { outcome: 'verified' } : { outcome: 'invalid', error: `[invalid bearer token, ${error}]` },
  );
});

// Nothing of the first part of a token may be changed, and tokens of other issuers are unknown.
test.each([['x.y.z'], ['a.b'], [''], ['....'], ['eyJhbGciOiJub25lIn0.e30.x']])('%s is no token', async (token) => {
  expect(await verify([account])(token)).toEqual({ outcome: 'invalid', error: 'invalid bearer token' });
});

test('a changed token is no token', async () => {
  const [head = '', , signature = ''] = (await issueServiceAccountToken(order, ports)).split('.');
  const [, claims = ''] = (await issueServiceAccountToken({ ...order, name: 'admin' }, ports)).split('.');
  const verdict = await verify([account, pod])(`${head}.${claims}.${signature}`);
  const error = '[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]';
  expect(verdict).toEqual({ outcome: 'invalid', error });
});

const tokenRequest = (spec: JsonObject): KubernetesObject => ({
  kind: 'TokenRequest',
  apiVersion: 'authentication.k8s.io/v1',
  metadata: {},
  spec,
});

const audiencesOf = (minor: number) => ({ apiAudiences: [issuer], minor });

// Source: facts/review-token-request; pkg/apis/authentication/validation/validation.go.
test('a request is completed', () => {
  const completed = completeTokenRequest(tokenRequest({ audiences: [], boundObjectRef: null }), audiencesOf(37));
  const spec = { audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null };
  expect(completed.ok && JSON.stringify(completed.value['spec'])).toBe(JSON.stringify(spec));
});

test.each([
  [60, 'may not specify a duration less than 10 minutes'],
  [599, 'may not specify a duration less than 10 minutes'],
  [4_294_967_297, 'may not specify a duration larger than 2^32 seconds'],
])('a request for %i seconds is refused', (expirationSeconds, detail) => {
  const message = `TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: ${expirationSeconds}: ${detail}`;
  expect(completeTokenRequest(tokenRequest({ expirationSeconds }), audiencesOf(37))).toMatchObject({
    status: { code: 422, message },
  });
});

const webhook = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', name: 'w' };
const needsOne = 'webhook bound requests require exactly one admissionReviewAPIGroups attestation';

// Source: pkg/apis/authentication/validation/validation.go ValidateTokenRequest of 1.37 (#140113).
test.each<readonly [spec: JsonObject, message: string]>([
  [
    { attestations: { a: ['b'] }, expirationSeconds: 1 },
    'spec.attestations: Invalid value: {"a":["b"]}: attestations may only be specified with a webhook bound object reference',
  ],
  [{ boundObjectRef: webhook }, `spec.attestations: Invalid value: {}: ${needsOne}`],
  [
    { boundObjectRef: webhook, audiences: ['a', 'b'], attestations: { other: ['x'] } },
    '[spec.audiences: Invalid value: ["a","b"]: must be length 1 when bound to a webhook config, spec.attestations[other]: Unsupported value: "other": supported values: "admissionReviewAPIGroups"]',
  ],
  [
    { boundObjectRef: webhook, attestations: { admissionReviewAPIGroups: ['a', 'b'] } },
    'spec.attestations[admissionReviewAPIGroups]: Invalid value: ["a","b"]: must specify a single value',
  ],
  [
    { boundObjectRef: webhook, attestations: { admissionReviewAPIGroups: [''] } },
    'spec.attestations[admissionReviewAPIGroups][0]: Invalid value: "": may not be an empty string',
  ],
])('a request with %j is refused since 1.37', (spec, message) => {
  expect(completeTokenRequest(tokenRequest({ expirationSeconds: 600, ...spec }), audiencesOf(37))).toMatchObject({
    status: { code: 422, message: `TokenRequest.authentication.k8s.io "" is invalid: ${message}` },
  });
  const { expirationSeconds: _short, ...rest } = spec;
  expect(completeTokenRequest(tokenRequest(rest), audiencesOf(36)).ok).toBe(true);
});

test.each([600, 4_294_967_296])('a request for %i seconds is fine', (expirationSeconds) => {
  expect(completeTokenRequest(tokenRequest({ expirationSeconds }), audiencesOf(37))).toMatchObject({
    value: { spec: { expirationSeconds } },
  });
});

const limits = { ...ports, ...audiencesOf(37), maxSeconds: 0, extendsAdmitted: true };

// Source: pkg/registry/core/serviceaccount/storage/token.go.
test.each([
  ['as long as asked for', { expirationSeconds: 7200 }, {}, [7200, undefined]],
  ['no longer than the flag says, be it a second', { expirationSeconds: 7200 }, { maxSeconds: 1 }, [1, undefined]],
  ['not a year for others beside us', { expirationSeconds: 3607, audiences: [issuer, 'vault'] }, {}, [3607, undefined]],
  ['no longer than the flag says', { expirationSeconds: 7200 }, { maxSeconds: 3600 }, [3600, undefined]],
  ['a year, for what admission asks for', { expirationSeconds: 3607 }, {}, [31_536_000, 3607]],
  ['not a year, if the flag says so', { expirationSeconds: 3607 }, { extendsAdmitted: false }, [3607, undefined]],
  ['not a year for others', { expirationSeconds: 3607, audiences: ['vault'] }, {}, [3607, undefined]],
])('a token lasts %s', async (_fact, spec, said, lasting) => {
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'p' };
  const request = tokenRequest({ audiences: [issuer], boundObjectRef, ...spec });
  const answer = await answerTokenRequest(request, account, {
    ...limits,
    ...said,
    cluster: clusterOf([account, pod, node]),
  });
  const [, claims = ''] = String(Object(answer.ok ? answer.value['status'] : {}).token).split('.');
  const { iat, exp, 'kubernetes.io': about } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  expect([exp - iat, about.warnafter && about.warnafter - iat]).toEqual(lasting);
});

test('the answer has a token that works', async () => {
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'p' };
  const request = tokenRequest({ audiences: [issuer], expirationSeconds: 600, boundObjectRef });
  const answer = await answerTokenRequest(request, account, {
    ...limits,
    cluster: clusterOf([account, pod, node]),
  });
  const status = answer.ok ? answer.value['status'] : undefined;
  expect(status).toMatchObject({ expirationTimestamp: '2025-10-09T09:03:20Z' });
  const token = Object(status).token;
  expect(await verify([account, pod])(String(token))).toMatchObject({ outcome: 'verified' });
});

// Source: pkg/registry/core/serviceaccount/storage/token.go.
const unbound: readonly [fact: string, reference: JsonObject, code: number, message: string][] = [
  [
    'a Service',
    { kind: 'Service', apiVersion: 'v1', name: 's' },
    400,
    'cannot bind token to object of type /v1, Kind=Service',
  ],
  [
    'a webhook configuration',
    webhook,
    400,
    'cannot bind token to object of type admissionregistration.k8s.io/v1, Kind=ValidatingWebhookConfiguration (feature gate APIServerWebhookAuthenticationToken is disabled)',
  ],
  [
    'a Pod of another group',
    { kind: 'Pod', apiVersion: 'apps/v1', name: 'p' },
    400,
    'cannot bind token to object of type apps/v1, Kind=Pod',
  ],
  [
    'what objects inherit',
    { kind: 'toString', apiVersion: 'v1', name: 'p' },
    400,
    'cannot bind token to object of type /v1, Kind=toString',
  ],
  ['a pod that is not there', { kind: 'Pod', apiVersion: 'v1', name: 'q' }, 404, 'pods "q" not found'],
  [
    'a pod of another account',
    { kind: 'Pod', apiVersion: 'v1', name: 'other' },
    400,
    'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
  ],
  [
    'an older pod',
    { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'x' },
    409,
    'Operation cannot be fulfilled on Pod "p": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
  ],
];

test.each(unbound)('a token cannot be bound to %s', async (_fact, boundObjectRef, code, message) => {
  const other = object('Pod', 'ns/other', 'u', { spec: { serviceAccountName: 'default' } });
  const cluster = clusterOf([account, pod, other]);
  const answer = await answerTokenRequest(tokenRequest({ boundObjectRef }), account, { ...limits, cluster });
  expect(answer).toMatchObject({ ok: false, status: { code, message } });
});

// Source: pkg/registry/core/serviceaccount/storage/token.go: only a Pod runs on a node.
test.each<[bound: JsonObject, node: unknown]>([
  [
    { kind: 'Pod', apiVersion: 'v1', name: 'p' },
    { name: 'n', uid: 'node-uid' },
  ],
  [{ kind: 'Secret', apiVersion: 'v1', name: 's' }, undefined],
])('the node in a token that is bound to %j', async (boundObjectRef, named) => {
  const secret = object('Secret', 'ns/s', 'secret-uid', { spec: { nodeName: 'n' } });
  const request = tokenRequest({ audiences: [issuer], expirationSeconds: 600, boundObjectRef });
  const answer = await answerTokenRequest(request, account, {
    ...limits,
    cluster: clusterOf([account, pod, node, secret]),
  });
  const [, claims = ''] = String(Object(answer.ok ? answer.value['status'] : {}).token).split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())['kubernetes.io'].node).toEqual(named);
});
