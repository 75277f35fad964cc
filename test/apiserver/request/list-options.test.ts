import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';
import { readListOptions } from '../../../src/apiserver/request/list-options.ts';

const pods = { group: '', resource: 'pods' };

const read = (query: string, isWatch: boolean): unknown => {
  const options = readListOptions(new URLSearchParams(query), pods, isWatch);
  return options.ok ? 'fine' : `${options.status.code} ${options.status.message}`;
};

const invalid = (error: string): string => `422 ListOptions.meta.k8s.io "" is invalid: ${error}`;

// Source: apimachinery pkg/apis/meta/internalversion/validation/validation_test.go and spec/kubectl.md section 8.
test.each<readonly [query: string, list: string]>([
  ['', 'fine'],
  ['limit=5&continue=abc', 'fine'],
  ['limit=', '400 strconv.ParseInt: parsing "": invalid syntax'],
  ['limit=many', '400 strconv.ParseInt: parsing "many": invalid syntax'],
  ['limit=99999999999999999999', '400 strconv.ParseInt: parsing "99999999999999999999": value out of range'],
  ['timeoutSeconds=x&limit=y', '400 strconv.ParseInt: parsing "x": invalid syntax'],
  ['labelSelector=a+in+(b', "400 unable to parse requirement: found '', expected: ',' or ')'"],
  ['fieldSelector=a', "400 invalid selector: 'a'; can't understand 'a'"],
  ['fieldSelector=spec.zzz%3Da', '400 field label not supported: spec.zzz'],
  [
    'resourceVersionMatch=Exact&fieldSelector=spec.zzz%3Da',
    invalid('resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided'),
  ],
  ['resourceVersion=5&resourceVersionMatch=Exact', 'fine'],
  ['resourceVersion=0&resourceVersionMatch=NotOlderThan', 'fine'],
  [
    'resourceVersion=0&resourceVersionMatch=Exact',
    invalid('resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
  ],
  [
    'resourceVersion=5&resourceVersionMatch=foo',
    invalid('resourceVersionMatch: Unsupported value: "foo": supported values: "Exact", "NotOlderThan", ""'),
  ],
  [
    'resourceVersion=5&resourceVersionMatch=Exact&continue=abc',
    invalid('resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided'),
  ],
  ['resourceVersion=5&continue=abc', '400 specifying resource version is not allowed when using continue'],
  ['resourceVersion=0&continue=abc', 'fine'],
  ['sendInitialEvents=true', invalid('sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list')],
  [
    'resourceVersion=abc',
    '400 invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  ],
  [
    'resourceVersion=99999999999999999999',
    '400 invalid resource version: resourceVersion: Invalid value: "99999999999999999999": strconv.ParseUint: parsing "99999999999999999999": value out of range',
  ],
])('a list with %j: %s', (query, answer) => {
  expect(read(query, false)).toBe(answer);
});

test.each<readonly [query: string, watch: string]>([
  ['resourceVersion=5', 'fine'],
  [
    'resourceVersion=abc',
    '500 resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  ],
  [
    'resourceVersion=5&resourceVersionMatch=NotOlderThan',
    invalid(
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ),
  ],
  [
    'sendInitialEvents=true',
    invalid('resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
  ],
  [
    'sendInitialEvents=false&resourceVersionMatch=Exact',
    invalid(
      '[resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    ),
  ],
  ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan', 'fine'],
  [
    'continue=abc',
    invalid('resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided'),
  ],
  ['continue=abc&resourceVersion=5', 'fine'],
  [
    'sendInitialEvents=true&continue=abc',
    invalid('resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
  ],
  [
    'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=abc',
    invalid('resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided'),
  ],
])('a watch with %j: %s', (query, answer) => {
  expect(read(query, true)).toBe(answer);
});

// Source: apiserver pkg/storage/cacher: a revision to come is waited for three seconds, or less where timeoutSeconds says so.
test.each([
  ['', 3000],
  ['&timeoutSeconds=1', 1000],
  ['&timeoutSeconds=2', 2000],
  ['&timeoutSeconds=9', 3000],
  ['&timeoutSeconds=0', 3000],
])('a list of a later state%s gives up after %i ms', async (query, milliseconds) => {
  const world = await createTestWorld();
  let code = 0;
  const path = `/api/v1/namespaces/default/configmaps?resourceVersion=999999${query}`;
  const answer = world.send('GET', path).then((said) => (code = said.code));
  await world.clock.advance(milliseconds - 1);
  expect(code).toBe(0);
  await world.clock.advance(1);
  expect(await answer).toBe(504);
});
