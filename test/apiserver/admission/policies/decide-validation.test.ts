import { expect, test } from 'vitest';
import { decide, type EvaluatedExpression } from '../../../../src/apiserver/admission/policies/decide-validation.ts';

const validation = { expression: ' object.a ', message: '', messageExpression: '', reason: '' };
const came = (value: string | number | boolean): EvaluatedExpression => ({
  outcome: 'value',
  value,
  cost: 1,
  parts: () => [],
});

/** Rule VAP-23; apiserver pkg/admission/plugin/policy/validating/validator.go. */
test.each<[fact: string, message: string, said: EvaluatedExpression | undefined, text: string]>([
  ['no message', '', undefined, 'failed expression: object.a'],
  ['the message', 'no', undefined, 'no'],
  ['the result of messageExpression, trimmed', 'no', came(' never '), 'never'],
  ['messageExpression returns blanks', 'no', came('  '), 'no'],
  ['messageExpression returns two lines', 'no', came('a\nb'), 'no'],
  ['messageExpression returns no string', 'no', came(1), 'no'],
  ['messageExpression failed', 'no', { outcome: 'error', error: 'x', cost: 1, parts: () => [] }, 'no'],
  ['5 KiB', 'no', came('x'.repeat(5120)), 'x'.repeat(5120)],
  ['a byte more', 'no', came('x'.repeat(5121)), 'no'],
])('a failed validation says: %s', (_fact, message, said, text) => {
  expect(decide({ ...validation, message }, came(false), said)).toMatchObject({ outcome: 'failed', message: text });
});

test.each([
  ['', 'Invalid'],
  ['Forbidden', 'Forbidden'],
])('its reason %j is %s', (reason, reported) => {
  expect(decide({ ...validation, reason }, came(false), undefined)).toMatchObject({ reason: reported });
});

test('a record has the evaluated branches when they are counted', () => {
  const branches = { together: [], holds: true };
  const seen = (result: EvaluatedExpression): unknown => decide(validation, result, undefined).record;
  expect(seen(came(true))).toEqual({ expression: ' object.a ', result: 'true' });
  expect(seen(Object.assign(came(true), { branches }))).toEqual({ expression: ' object.a ', result: 'true', branches });
});
