import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { checkAccessReview } from '../../../src/apiserver/auth/reviews/access-review.ts';

/** What is wrong with the selector of labels of a review, each as `path: kind`. */
function faults(labelSelector: JsonObject): readonly unknown[] {
  const spec = { user: 'jane', resourceAttributes: { verb: 'list', resource: 'pods', labelSelector } };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec };
  const answer = checkAccessReview(review, 37);
  const causes = answer.ok ? [] : (answer.status.details?.causes ?? []);
  return causes.map(({ field, reason }) => `${field?.replace('spec.resourceAttributes.labelSelector', '')} ${reason}`);
}

const requiring = (operator: string, more: JsonObject = { values: ['x'] }, key = 'a'): JsonObject => ({
  requirements: [
    { key: 'first', operator: 'In', values: ['y'] },
    { key, operator, ...more },
  ],
});
const nothing = {};

// Source: kubernetes pkg/apis/authorization/validation/validation.go, apimachinery pkg/apis/meta/v1/validation.
test.each<[what: string, selector: JsonObject, faults: readonly string[]]>([
  ['In with a value', requiring('In'), []],
  ['In without', requiring('In', nothing), ['.requirements[1].values FieldValueRequired']],
  ['NotIn without', requiring('NotIn', { values: [] }), ['.requirements[1].values FieldValueRequired']],
  ['Exists', requiring('Exists', nothing), []],
  ['Exists with a value', requiring('Exists'), ['.requirements[1].values FieldValueForbidden']],
  ['DoesNotExist', requiring('DoesNotExist', nothing), []],
  ['DoesNotExist with a value', requiring('DoesNotExist'), ['.requirements[1].values FieldValueForbidden']],
  ['an unknown operator, with a value', requiring('Near'), []],
  ['an unknown operator, without', requiring('Near', nothing), []],
  ['no key', requiring('In', { values: ['x'] }, ''), ['.requirements[1].key FieldValueRequired']],
  ['text alone', { rawSelector: 'a=b' }, []],
  ['text and requirements', { ...requiring('In'), rawSelector: 'a=b' }, ['.rawSelector FieldValueInvalid']],
  [
    'text and one requirement',
    { requirements: [{ key: 'a', operator: 'Exists' }], rawSelector: 'a' },
    ['.rawSelector FieldValueInvalid'],
  ],
  ['neither', { requirements: [] }, ['.requirements FieldValueRequired']],
])('a review that selects by %s', (_what, selector, expected) => {
  expect(faults(selector)).toEqual(expected);
});
