import { expect, test, vi } from 'vitest';
import * as cel from '../../../../src/cel/index.ts';
import { createClaimsEvaluator } from '../../../../src/app/server/jwt/jwt-checks.ts';

test('the claims of a token are made ready once for all its expressions, as many as there are', () => {
  const claimsValue = vi.fn<typeof cel.claimsValue>(cel.claimsValue);
  const evaluate = createClaimsEvaluator({ ...cel, claimsValue });
  const claims = { sub: 'u', level: 3 };
  expect(evaluate('claims.sub', 'claims', claims)).toEqual({ ok: true, value: 'u' });
  expect(evaluate('claims.level < 5.0', 'claims', claims)).toEqual({ ok: true, value: true });
  expect(claimsValue.mock.calls.filter(([value]) => value === claims)).toHaveLength(1);
  expect(evaluate('claims.sub', 'claims', { sub: 'v' })).toEqual({ ok: true, value: 'v' });
});

test.each(['__proto__', 'constructor', 'toString'])('a claim may be named %s', (name) => {
  const claims: unknown = JSON.parse(`{"sub":"u","${name}":"x"}`);
  const evaluate = createClaimsEvaluator(cel);
  const object = claims as Parameters<typeof evaluate>[2]; // What JSON.parse made of an object.
  expect(evaluate(`claims["${name}"]`, 'claims', object)).toEqual({ ok: true, value: 'x' });
  expect(evaluate(`"${name}" in claims`, 'claims', { sub: 'u' })).toEqual({ ok: true, value: false });
});
