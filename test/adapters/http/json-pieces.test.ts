import { expect, test } from 'vitest';
import { bytesOf, joined } from '../../../src/adapters/http/openapi.ts';

const long = 'ä'.repeat(100_000);

test.each([[[]], [['']], [['a']], [['a', 'ü', '"']], [[long, long, 'b']], [['a', long]]])(
  'the bytes of texts are theirs in few pieces (%#)',
  (texts) => {
    const pieces = bytesOf(texts);
    expect(Buffer.concat(pieces).toString()).toBe(texts.join(''));
    expect(pieces.length).toBeLessThanOrEqual(2);
  },
);

test.each([
  ['nothing', [], 0],
  ['few bytes', [1, 2, 3], 1],
  ['as many as are one piece', [64 * 1024], 1],
  ['more', [64 * 1024, 1], 2],
  ['pieces that are large already', [100_000, 100_000], 2],
])('%s', (_what, sizes, count) => {
  const bytes = sizes.map((size, at) => Buffer.alloc(size, at + 1));
  const pieces = joined(bytes);
  expect(Buffer.concat(pieces)).toEqual(Buffer.concat(bytes));
  expect(pieces).toHaveLength(count);
});
