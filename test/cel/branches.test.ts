import { expect, test } from 'vitest';
import { compileAdmission } from '../../src/cel/admission/type-check.ts';
import { countBranches } from '../../src/cel/run/branches.ts';
import type { Value } from '../../src/cel/value/value.ts';

/** `role expression true/false/error`, a line for each deciding part. */
function counted(text: string, object: Value): readonly string[] {
  const compilation = compileAdmission(text, { stored: true }, undefined);
  if (compilation.outcome === 'failed') return [compilation.error];
  const { compiled } = compilation;
  const whole = text.includes(' ? ') ? 'any' : 'bool';
  const counts = countBranches({ compiled, whole }, (name) => (name === 'object' ? object : undefined), {});
  return counts.map((one) => `${one.role} ${one.expression} ${one.true}/${one.false}/${one.error}`);
}

const rows: Readonly<Record<string, readonly [text: string, object: Value, parts: readonly string[]]>> = {
  'one comparison is the result alone': ['object.a == 1', { a: 1 }, ['result object.a == 1 1/0/0']],
  'an operand that && skips is not counted': [
    'object.a && object.b',
    { a: false, b: true },
    ['result object.a && object.b 0/1/0', 'operand object.a 0/1/0', 'operand object.b 0/0/0'],
  ],
  'a chain has one operand for each': [
    'object.a || object.b || object.c',
    { a: false, b: true, c: true },
    [
      'result object.a || object.b || object.c 1/0/0',
      'operand object.a 0/1/0',
      'operand object.b 1/0/0',
      'operand object.c 0/0/0',
    ],
  ],
  'an error that || absorbs is counted where it happened': [
    'object.no.field || object.b',
    { b: true },
    ['result object.no.field || object.b 1/0/0', 'operand object.no.field 0/0/1', 'operand object.b 1/0/0'],
  ],
  'the condition of ?: counts, its branches do not': [
    "object.a ? 'x' : 'y'",
    { a: false },
    ['condition object.a 0/1/0'],
  ],
  'all counts each element until one decides': [
    'object.l.all(x, x < 3)',
    { l: [1, 2, 5, 1] },
    ['result object.l.all(x, x < 3) 0/1/0', 'element x < 3 2/1/0'],
  ],
  'an empty list reaches no element': [
    'object.l.exists(x, x < 3)',
    { l: [] },
    ['result object.l.exists(x, x < 3) 0/1/0', 'element x < 3 0/0/0'],
  ],
  'a macro inside counts too': [
    '!object.l.exists_one(x, x == 1)',
    { l: [1, 1] },
    [
      'result !object.l.exists_one(x, x == 1) 1/0/0',
      'macro object.l.exists_one(x, x == 1) 0/1/0',
      'element x == 1 2/0/0',
    ],
  ],
  'a filter asks each element': [
    'object.l.filter(x, x > 1).size() == 1',
    { l: [1, 2] },
    ['result object.l.filter(x, x > 1).size() == 1 1/0/0', 'element x > 1 1/1/0'],
  ],
  'has is an operand like any other': [
    'has(object.a) && object.a == 1',
    {},
    ['result has(object.a) && object.a == 1 0/1/0', 'operand has(object.a) 0/1/0', 'operand object.a == 1 0/0/0'],
  ],
};

test.each(Object.entries(rows))('%s', (_sentence, [text, object, parts]) => {
  expect(counted(text, object)).toEqual(parts);
});
