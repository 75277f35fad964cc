import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { AuthorizationQuestion } from '../../../src/apiserver/auth/authorizer.ts';
import { checkLocalAccessReview, selfAccessReview } from '../../../src/apiserver/auth/reviews/access-review.ts';
import { user } from './cluster.ts';

/** What is asked for a review with these attributes. */
function askedFor(resourceAttributes: JsonObject): AuthorizationQuestion | undefined {
  const asked: AuthorizationQuestion[] = [];
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  };
  selfAccessReview(review, user('jane'), (question) => {
    asked.push(question);
    return { allowed: true, reason: '' };
  });
  return asked[0];
}

const requiring = (...requirements: readonly JsonObject[]): JsonObject => ({ requirements });
const some = (operator: string, ...values: readonly string[]): JsonObject => ({ key: 'k', operator, values });

// Source: kubernetes pkg/registry/authorization/util/helpers.go, apimachinery pkg/fields/selector.go.
test.each<[selector: JsonObject, fields: string, labels: string]>([
  [{ rawSelector: 'a=b' }, 'a=b', 'a=b'],
  [requiring(some('In', 'a')), 'k=a', 'k in (a)'],
  [requiring(some('NotIn', 'a')), 'k!=a', 'k notin (a)'],
  [requiring(some('In', 'a', 'b')), 'k=a', 'k in (a,b)'],
  [requiring(some('In', 'a,b=c\\d')), String.raw`k=a\,b\=c\\d`, 'k in (a,b=c\\d)'],
  [requiring(some('Exists')), '', 'k'],
  [requiring(some('DoesNotExist')), '', '!k'],
  [requiring(some('Near', 'a')), '', ''],
  [requiring(some('In', 'a'), some('Near', 'b'), some('NotIn', 'c')), 'k=a,k!=c', 'k in (a),k notin (c)'],
])('a review that selects by %j asks for %j of fields and %j of labels', (selector, fieldSelector, labelSelector) => {
  expect(askedFor({ fieldSelector: selector })).toMatchObject({ fieldSelector });
  expect(askedFor({ labelSelector: selector })).toMatchObject({ labelSelector });
});

test.each([
  [{}, '*'],
  [{ version: 'v1beta1' }, 'v1beta1'],
])('the version of %j is %j, and nothing is selected', (attributes, version) => {
  expect(askedFor(attributes)).toMatchObject({ type: 'resource', version });
  expect(askedFor(attributes)).not.toHaveProperty('fieldSelector');
  expect(askedFor(attributes)).not.toHaveProperty('labelSelector');
});

const local = (metadata: JsonObject, namespace: string, fields: JsonObject = { user: 'jane' }) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'LocalSubjectAccessReview',
  metadata,
  spec: { resourceAttributes: { verb: 'get', resource: 'pods', namespace }, ...fields },
});

// Source: kubernetes pkg/registry/authorization/localsubjectaccessreview/rest.go, pkg/apis/authorization/validation.
test.each<[fact: string, review: ReturnType<typeof local>, namespace: string, answer: number | string]>([
  ['of the namespace of the path', local({ namespace: 'ns' }, 'ns'), 'ns', 'fine'],
  ['without a namespace', local({}, ''), '', 'namespace is required on this type: '],
  [
    'of another namespace',
    local({ namespace: 'ns' }, 'ns'),
    'other',
    'spec.resourceAttributes.namespace must match namespace: other',
  ],
  ['that asks about another', local({ namespace: 'ns' }, 'other'), 'ns', 422],
  ['without a user, of another namespace', local({ namespace: 'ns' }, 'ns', {}), 'other', 422],
  ['without a user', local({ namespace: 'ns' }, 'ns', {}), 'ns', 422],
  ['with managedFields', local({ namespace: 'ns', managedFields: [{}] }, 'ns'), 'ns', 'fine'],
  ['with what is null', local({ namespace: 'ns', labels: null }, 'ns'), 'ns', 'fine'],
  ['with a name', local({ namespace: 'ns', name: 'a' }, 'ns'), 'ns', 422],
])('a local review %s', (_fact, review, namespace, answer) => {
  const checked = checkLocalAccessReview(review, namespace, 37);
  const said = checked.ok ? 'fine' : checked.status.code === 400 ? checked.status.message : checked.status.code;
  expect(said).toBe(answer);
});
