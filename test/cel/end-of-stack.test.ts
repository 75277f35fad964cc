import { expect, test } from 'vitest';
import { macroKey } from '../../src/cel/syntax/macros.ts';
import { parse } from '../../src/cel/syntax/parse.ts';
import { createSource } from '../../src/cel/syntax/source-text.ts';

// The generated parser needs some ten calls for each level; a process that is busy may have no room for all of them.
test('an expression that overflows the stack is reported as nested too deeply', () => {
  const overflow = (): never => {
    throw new RangeError('Maximum call stack size exceeded');
  };
  const parsing = parse(createSource('has(a)'), new Map([[macroKey('has', 1, false), overflow]]));
  const message = 'expression recursion limit exceeded: 250';
  expect(parsing).toMatchObject({ outcome: 'invalid', issues: [{ message }] });
});
