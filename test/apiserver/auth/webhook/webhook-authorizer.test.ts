import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { AuthorizationQuestion } from '../../../../src/apiserver/auth/authorizer.ts';
import {
  type SendReview,
  createWebhookAuthorizer,
  type WebhookAuthorization,
} from '../../../../src/apiserver/auth/webhook/webhook-authorizer.ts';
import { user } from '../cluster.ts';

const how: WebhookAuthorization = {
  version: 'v1',
  authorizedMs: 300_000,
  unauthorizedMs: 30_000,
  failurePolicy: 'NoOpinion',
  matches: () => ({ outcome: 'matched' }),
};
const getPod: AuthorizationQuestion = {
  type: 'resource',
  user: { ...user('jane'), uid: 'u', groups: ['a', 'b'], extra: { k: ['v'] } },
  verb: 'get',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'ns',
  name: 'p',
};

/** An authorizer whose webhook answers this, what it was sent, and its clock. */
function asking(status: JsonObject, more: Partial<WebhookAuthorization> = {}) {
  const sent: JsonObject[] = [];
  const time = { now: 0 };
  const sendReview: SendReview = async (review) => {
    sent.push(review);
    const { error } = status;
    return typeof error === 'string' ? { outcome: 'failed', error } : { outcome: 'reviewed', status, bytes: 1 };
  };
  const authorize = createWebhookAuthorizer({ ...how, ...more }, { sendReview, now: () => time.now });
  return { sent, time, authorize };
}

// Source: kube-apiserver v1.36.2 sends these bodies.
test.each<[version: 'v1' | 'v1beta1', groups: string]>([
  ['v1', 'groups'],
  ['v1beta1', 'group'],
])('a SubjectAccessReview of %s', async (version, groups) => {
  const { sent, authorize } = asking({ allowed: true }, { version });
  const fieldSelector = String.raw`metadata.name=x,spec.a!=y\,z`;
  await authorize({ ...getPod, fieldSelector, labelSelector: 'a=b,c!=d,e in (x,y),!z,q' });
  const who = `"user":"jane","${groups}":["a","b"],"extra":{"k":["v"]},"uid":"u"`;
  const fields = [
    { key: 'metadata.name', operator: 'In', values: ['x'] },
    { key: 'spec.a', operator: 'NotIn', values: ['y,z'] },
  ];
  const labels = [
    { key: 'a', operator: 'In', values: ['b'] },
    { key: 'c', operator: 'NotIn', values: ['d'] },
    { key: 'e', operator: 'In', values: ['x', 'y'] },
    { key: 'q', operator: 'Exists' },
    { key: 'z', operator: 'DoesNotExist' },
  ];
  const selectors = `"fieldSelector":{"requirements":${JSON.stringify(fields)}},"labelSelector":{"requirements":${JSON.stringify(labels)}}`;
  expect(sent.map((review) => JSON.stringify(review))).toEqual([
    `{"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/${version}","metadata":{},"spec":{"resourceAttributes":{"namespace":"ns","verb":"get","version":"v1","resource":"pods","name":"p",${selectors}},${who}},"status":{"allowed":false}}`,
  ]);
});

test('of a path that is no resource', async () => {
  const { sent, authorize } = asking({ allowed: true });
  await authorize({ type: 'path', user: user('jane'), verb: 'get', path: '/x' });
  expect(sent[0]?.['spec']).toMatchObject({ nonResourceAttributes: { path: '/x', verb: 'get' }, user: 'jane' });
});

// Source: apiserver plugin/pkg/authorizer/webhook/webhook.go; the answers of kube-apiserver v1.36.2 agree.
test.each<[fact: string, status: JsonObject, more: Partial<WebhookAuthorization>, decision: object]>([
  ['allowed', { allowed: true, reason: 'r' }, {}, { allowed: true, reason: 'r' }],
  ['no opinion', { allowed: false, reason: 'r' }, {}, { allowed: false, reason: 'r' }],
  ['denied', { allowed: false, denied: true, reason: 'r' }, {}, { allowed: false, denied: true, reason: 'r' }],
  [
    'both',
    { allowed: true, denied: true, reason: 'r' },
    {},
    {
      allowed: false,
      denied: true,
      reason: 'r',
      error: 'webhook subject access review returned both allow and deny response',
    },
  ],
  ['not to be asked', { error: 'e' }, {}, { allowed: false, denied: false, reason: '', error: 'e' }],
  ['which denies', { error: 'e' }, { failurePolicy: 'Deny' }, { allowed: false, denied: true, reason: '', error: 'e' }],
  [
    'whose condition fails',
    { allowed: true },
    { failurePolicy: 'Deny', matches: () => ({ outcome: 'failed', error: 'c' }) },
    { allowed: false, denied: true, reason: '', error: 'c' },
  ],
  [
    'whose condition is false',
    { allowed: true },
    { matches: () => ({ outcome: 'skipped' }) },
    { allowed: false, reason: '' },
  ],
])('a webhook: %s', async (_fact, status, more, decision) => {
  expect(await asking(status, more).authorize(getPod)).toEqual(decision);
});

type Remembering = readonly [status: JsonObject, more: Partial<WebhookAuthorization>, afterMs: number, calls: number];

test.each<[fact: string, ...remembering: Remembering]>([
  ['what was allowed is remembered', { allowed: true }, {}, 299_999, 1],
  ['for a while', { allowed: true }, {}, 300_000, 2],
  ['what was not, for less', { allowed: false }, {}, 29_999, 1],
  ['and no longer', { allowed: false }, {}, 30_000, 2],
  ['not at all', { allowed: true }, { authorizedMs: 0 }, 0, 2],
  ['a failure never', { error: 'e' }, {}, 0, 2],
])('%s', async (_fact, ...[status, more, afterMs, calls]) => {
  const { sent, time, authorize } = asking(status, more);
  await authorize(getPod);
  time.now = afterMs;
  await authorize(getPod);
  expect(sent).toHaveLength(calls);
});

test('a long question is not remembered', async () => {
  const { sent, authorize } = asking({ allowed: true });
  for (const name of ['x'.repeat(9_989), 'x'.repeat(9_990)]) {
    const question = { ...getPod, namespace: '', resource: '', verb: 'v', version: '1', name: `${name}12345678` };
    // oxlint-disable-next-line no-await-in-loop -- one after the other is what is tried
    await authorize(question);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await authorize(question);
  }
  expect(sent).toHaveLength(3);
});

test.each([
  [9_998, 1],
  [9_999, 2],
])('nor is a path of %i characters and a verb of one: asked %i times', async (length, calls) => {
  const { sent, authorize } = asking({ allowed: true });
  const question = { type: 'path', user: user('jane'), verb: 'v', path: `/${'x'.repeat(length - 1)}` } as const;
  await authorize(question);
  await authorize(question);
  expect(sent).toHaveLength(calls);
});

// Source: apiserver plugin/pkg/authorizer/webhook/webhook.go: what is empty is left out.
test.each<[what: object, spec: JsonObject]>([
  [{ groups: ['a'] }, { user: 'jane', groups: ['a'], uid: 'u' }],
  [{ groups: [] }, { user: 'jane', uid: 'u' }],
  [
    { groups: [], uid: '', extra: { k: ['v'] } },
    { user: 'jane', extra: { k: ['v'] } },
  ],
])('of a user with %j', async (fields, spec) => {
  const { sent, authorize } = asking({ allowed: true });
  await authorize({
    type: 'path',
    user: { username: 'jane', uid: 'u', groups: [], extra: {}, ...fields },
    verb: 'get',
    path: '/',
  });
  expect(sent[0]?.['spec']).toEqual({ nonResourceAttributes: { path: '/', verb: 'get' }, ...spec });
});

test('a selector of one requirement is sent as one', async () => {
  const { sent, authorize } = asking({ allowed: true });
  await authorize({ ...getPod, fieldSelector: 'a=b', labelSelector: 'c' });
  expect(sent[0]).toMatchObject({
    spec: {
      resourceAttributes: {
        fieldSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
        labelSelector: { requirements: [{ key: 'c', operator: 'Exists' }] },
      },
    },
  });
});
