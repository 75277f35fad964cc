import { expect, test } from 'vitest';
import { compileCondition, evaluate } from '../../src/cel/index.ts';

// What is known of a part of a value, because it was looked at before, is not looked at again. Its loops must not be taken for
// those of the part beside it, which may be as long.

const long = (last: number): readonly number[] => [...Array.from({ length: 5_999 }, (_none, at) => at), last];
const object = {
  a: long(1),
  copy: long(1),
  b: long(2),
  other: long(3),
  texts: { one: ['"'.repeat(40_000), 'x'], two: ['\n'.repeat(40_000), 'y'] },
  lists: { one: long(1).slice(0, 100), two: long(2).slice(1, 101), three: [long(1).slice(0, 100)] },
};

const expressions = [
  '[object.a, object.b] == [object.copy, object.other]',
  '"%s".format([object.texts]).contains("\\\\n")',
  '"%s".format([object.lists]) == "%s".format([[object.lists, object.lists]])',
  '"%s".format([[object.lists.one, object.lists.two]]).contains(", 100]")',
  '[object.a, object.b, object.a].distinct().size() == 2',
  'sets.contains([object.a], [object.copy]) && [object.a, object.other].isSorted()',
];

test.each(expressions)('%s', async (expression) => {
  const compilation = compileCondition(expression, { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  const run = () => evaluate(compilation.compiled, () => structuredClone(object), { costLimit: 1_000_000 });
  const expected = run();
  const fresh = structuredClone(object);
  const slow = evaluate(compilation.compiled, () => fresh, { costLimit: 1_000_000 });
  expect(slow).toEqual(expected);
});
