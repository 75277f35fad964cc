import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld } from '../../harness/world.ts';

const path = '/api/v1/namespaces/default/serviceaccounts';
const merge = { contentType: 'application/merge-patch+json' };
const named = { name: 'a' };

/** Who owns what after a create with these secrets, and after each change of them. */
async function owners(...secrets: readonly JsonValue[]): Promise<unknown[]> {
  const world = await createTestWorld();
  const [first, ...others] = secrets;
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'b' }, secrets: first };
  const answers = [await world.send('POST', path, account)];
  for (const next of others) answers.push(await world.send('PATCH', `${path}/b`, { secrets: next }, merge));
  return answers.map(({ body }) => at(body, 'metadata', 'managedFields', 0, 'fieldsV1', 'f:secrets'));
}

// Source: kube-apiserver v1.36.2; apimachinery pkg/util/managedfields/internal/fieldmanager.go UpdateNoErrors.
test.each<readonly [fact: string, secrets: readonly JsonValue[], owned: readonly unknown[]]>([
  ['one that is made so is owned by nobody', [[named, {}]], [undefined]],
  ['nor is it when it is changed', [[{}], [{}, named]], [undefined, undefined]],
  ['another field is no name', [[{ namespace: 'a' }]], [undefined]],
  ['all have names', [[named]], [{ '.': {}, 'k:{"name":"a"}': {} }]],
  [
    'an object that gets one loses its owners for good',
    [[named], [named, {}], [named]],
    [{ '.': {}, 'k:{"name":"a"}': {} }, undefined, undefined],
  ],
])('an item without the key of its list: %s', async (_fact, secrets, owned) => {
  expect(await owners(...secrets)).toEqual(owned);
});
