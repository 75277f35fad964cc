import { expect, test } from 'vitest';
import { compareTexts } from '../../../src/machinery/go/compare-texts.ts';
import { writeJsonForGo } from '../../../src/machinery/json/json-writer.ts';
import { compareElements } from '../../../src/api/apply/element-order.ts';

const letters = ['', 'a', 'b', '"', '\\', '<', '\u2028', '\u0001', '\n', 'é', '\uffff', '😀', '😁', '\u{10000}'];
const texts = letters.flatMap((first) => letters.map((second) => first + second));
const keyed = (text: string): string => `k:{"n":${writeJsonForGo(text)},"m":1}`;

// Source: structured-merge-diff value/value.go Compare, which compares strings as they are spelt.
test('keys stand in the order in which Go spells their texts', () => {
  for (const a of texts) {
    for (const b of texts) {
      const [order, spelt] = [compareElements(keyed(a), keyed(b)), compareTexts(writeJsonForGo(a), writeJsonForGo(b))];
      expect([a, b, Math.sign(order)]).toEqual([a, b, Math.sign(spelt)]);
    }
  }
});
