import { expect, test } from 'vitest';
import { inAscii } from './in-ascii.mjs';

const rows = [
  ['what has none else stays', 'f("a", /b/)', 'f("a", /b/)'],
  ['a letter', '"…é"', String.raw`"\u2026\u00e9"`],
  ['one of two halves', '/[😀]/u', String.raw`/[\ud83d\ude00]/u`],
] as const;

test.each(rows)('%s', (_what, code, ascii) => {
  expect(inAscii(code)).toBe(ascii);
});
