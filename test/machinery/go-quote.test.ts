import { expect, test } from 'vitest';
import { goQuote } from '../../src/machinery/meta/field-error.ts';

// Source: what go's strconv.Quote prints, go 1.24.
test.each<readonly [text: string, quoted: string]>([
  ['', '""'],
  ['a b~', '"a b~"'],
  ['say "no"\\', String.raw`"say \"no\"\\"`],
  ["it's", `"it's"`],
  ['\u0007\b\f\n\r\t\v', String.raw`"\a\b\f\n\r\t\v"`],
  ['\u0000\u0001\u001b\u007f', String.raw`"\x00\x01\x1b\x7f"`],
  ['é"\\', String.raw`"é\"\\"`],
  ['a\u0001"', String.raw`"a\x01\""`],
  ['é"\\\u0001\n', String.raw`"é\"\\\x01\n"`],
  ['\u0080\u00a0\u00ad', String.raw`"\u0080\u00a0\u00ad"`],
  ['\u200b\ufeff', String.raw`"\u200b\ufeff"`],
  ['😀\u{e0001}', String.raw`"😀\U000e0001"`],
])('%j', (text, quoted) => {
  expect(goQuote(text)).toBe(quoted);
});
