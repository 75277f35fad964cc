import { expect, test } from 'vitest';
import * as cel from '../../../../src/cel/index.ts';
import { createClaimsEvaluator } from '../../../../src/app/server/jwt/jwt-authenticators.ts';

test.each(['__proto__', 'constructor', 'toString'])('a claim may be named %s', (name) => {
  const claims: unknown = JSON.parse(`{"sub":"u","${name}":"x"}`);
  const evaluate = createClaimsEvaluator(cel);
  const object = claims as Parameters<typeof evaluate>[2]; // What JSON.parse made of an object.
  expect(evaluate(`claims["${name}"]`, 'claims', object)).toEqual({ ok: true, value: 'x' });
  expect(evaluate(`"${name}" in claims`, 'claims', { sub: 'u' })).toEqual({ ok: true, value: false });
});
