import { expect, test } from 'vitest';
import { createReinvocation } from '../../src/admission/reinvocation.ts';

// Who is called again is told in test/admission/create-chain.test.ts.
test('whether an object was changed between two rounds may take a while to find out', async () => {
  const reinvocation = createReinvocation();
  const callee = { uid: 'a', reinvocationPolicy: 'IfNeeded' } as const;
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} };
  const compared: unknown[] = [];
  expect(reinvocation.startRound(0, object, () => true)).toBeUndefined();
  reinvocation.afterCall(callee, false);
  reinvocation.finishRound(object);
  const started = reinvocation.startRound(1, null, async (...both) => {
    compared.push(both);
    return Promise.resolve(false);
  });
  expect(reinvocation.notDue(callee)).toBe('nothing-changed-since');
  await started;
  expect(reinvocation.notDue(callee)).toBeNull();
  expect(compared).toEqual([[null, object]]);
});
