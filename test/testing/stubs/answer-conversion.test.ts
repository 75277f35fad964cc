import { expect, test } from 'vitest';
import type { Corrupt } from '../../../src/testing/stubs/plan-response.ts';
import { replyTo } from '../../../src/testing/stubs/stub-reply.ts';
import type { Behaviour } from '../../../src/testing/stubs/webhook-spec.ts';

const review = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: {
    uid: 'u',
    desiredAPIVersion: 'example.com/v2',
    objects: [
      { apiVersion: 'example.com/v1', kind: 'Widget', a: 1 },
      { apiVersion: 'example.com/v1', kind: 'Widget', a: 2 },
    ],
  },
};

async function answered(does: readonly Behaviour[], spoil?: Corrupt): Promise<unknown> {
  const { code, body } = await replyTo({ name: 'c', does, faults: [] }, review, spoil);
  return code === 200 ? JSON.parse(body) : [code, body];
}

const script = (run: (review: object) => unknown): readonly Behaviour[] => [{ type: 'script', run }];
const done = (convertedObjects: readonly object[]) => ({
  kind: 'ConversionReview',
  apiVersion: 'apiextensions.k8s.io/v1',
  response: { uid: 'u', result: { status: 'Success' }, convertedObjects },
});
const v2 = (a: number): object => ({ apiVersion: 'example.com/v2', kind: 'Widget', a });

test('without a script the apiVersion alone is changed', async () => {
  expect(await answered([])).toEqual(done([v2(1), v2(2)]));
});

test.each<readonly [string, unknown]>([
  ['the list', [v2(3)]],
  ['the response', { convertedObjects: [v2(3)] }],
  ['the whole review', { kind: 'ConversionReview', response: { convertedObjects: [v2(3)] } }],
])('a script may return %s', async (_what, said) => {
  expect(await answered(script(() => said))).toEqual(done([v2(3)]));
});

test('what a script throws, and what is no answer, is a 500', async () => {
  const thrown = script(() => {
    throw new Error('no such field');
  });
  expect(await answered(thrown)).toEqual([500, 'no such field\n']);
  expect(await answered(script(() => 5))).toEqual([
    500,
    expect.stringContaining('return the list of converted objects'),
  ]);
});

test('a denial is a Failure with its message', async () => {
  expect(await answered([{ type: 'deny', message: 'no' }])).toMatchObject({
    response: { result: { status: 'Failure', message: 'no' }, convertedObjects: [] },
  });
});

test.each<readonly [Corrupt, object]>([
  ['wrong-uid', { response: { uid: '00000000-0000-0000-0000-000000000000' } }],
  ['wrong-version', { apiVersion: 'apiextensions.k8s.io/v1beta1' }],
])('%s', async (spoil, wrong) => {
  expect(await answered([], spoil)).toMatchObject(wrong);
});
