import { expect, test } from 'vitest';
import { trimSpace } from '../../../src/machinery/go/strings.ts';

// Source: Go's unicode.IsSpace, which strings.TrimSpace asks.
test.each([
  ['', ''],
  [' \t\n\v\f\r\u0085\u00A0\u2028\u3000', ''],
  ['\u0085 a b \u0085', 'a b'],
  ['\uFEFF a \u200B', '\uFEFF a \u200B'],
])('%j trimmed is %j', (text, trimmed) => {
  expect(trimSpace(text)).toBe(trimmed);
});
