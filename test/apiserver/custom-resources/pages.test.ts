import { expect, test } from 'vitest';
import { asObject, asString, type JsonObject } from '../../../src/machinery/json/json.ts';
import { adminUser } from '../../harness/world.ts';
import { things, worldOfThings } from './established.ts';

// Source: apimachinery pkg/apis/meta/v1/unstructured: a list always says how it goes on; how much is left only where it is known.
test('pages of custom resources say what is left', async () => {
  const world = await worldOfThings({ type: 'object' });
  for (const name of ['a', 'b', 'c']) {
    const thing = { apiVersion: 'turns.dev/v1', kind: 'Thing', metadata: { name } };
    await world.send('POST', things, thing, { as: adminUser });
  }
  const page = async (query: string): Promise<JsonObject> =>
    asObject((await world.send('GET', `${things}?${query}`, undefined, { as: adminUser })).body['metadata']);
  const first = await page('limit=1');
  expect(first).toMatchObject({ remainingItemCount: 2, continue: expect.stringMatching(/./) });
  const rest = await page(`limit=2&continue=${asString(first['continue'])}`);
  expect(rest).toEqual({ continue: '', resourceVersion: first['resourceVersion'] });
  expect(await page('limit=1&labelSelector=!none')).not.toHaveProperty('remainingItemCount');
});
