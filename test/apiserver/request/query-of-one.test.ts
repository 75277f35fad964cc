import { expect, test } from 'vitest';
import { adminUser, createTestWorld } from '../../harness/world.ts';

const world = await createTestWorld({ authorizationMode: 'AlwaysAllow' });
const as = adminUser;
const maps = '/api/v1/namespaces/default/configmaps';
await world.send('POST', maps, { metadata: { name: 'a' } }, { as });

// Source: the same requests to kube-apiserver v1.36.2; apimachinery pkg/apis/meta/v1/conversion.go for DELETE.
test.each<readonly [method: string, query: string, code: number, message: RegExp]>([
  [
    'GET',
    'resourceVersion=x',
    500,
    /^resourceVersion: Invalid value: "x": strconv\.ParseUint: parsing "x": invalid syntax$/,
  ],
  [
    'GET',
    'resourceVersion=-1',
    500,
    /^resourceVersion: Invalid value: "-1": strconv\.ParseUint: parsing "-1": invalid syntax$/,
  ],
  ['GET', 'resourceVersion=0', 200, /^$/],
  ['GET', 'resourceVersion=', 200, /^$/],
  [
    'DELETE',
    'resourceVersion=0',
    409,
    /the ResourceVersion in the precondition \(0\) does not match the ResourceVersion in record/,
  ],
  ['DELETE', 'resourceVersion=x', 409, /the ResourceVersion in the precondition \(x\) does not match/],
  ['DELETE', 'uid=x', 409, /the UID in the precondition \(x\) does not match the UID in record/],
  ['DELETE', 'uid=', 200, /^$/],
])('%s of one object with %s is %i', async (method, query, code, message) => {
  const answer = await world.send(method, `${maps}/a?dryRun=All&${query}`, undefined, { as });
  expect([answer.code, answer.message ?? '']).toEqual([code, expect.stringMatching(message)]);
});

test('a collection of a state that is still to come is not deleted', async () => {
  const answer = await world.send('DELETE', `${maps}?resourceVersion=99999999999`, undefined, { as });
  expect([answer.code, answer.message]).toEqual([
    504,
    expect.stringMatching(/^Timeout: Too large resource version: 99999999999, /),
  ]);
  expect((await world.send('GET', `${maps}/a`, undefined, { as })).code).toBe(200);
});
