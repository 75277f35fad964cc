import { expect, test } from 'vitest';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  negateQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityText,
  quantityValue,
  roundUpQuantity,
} from '../../../src/machinery/meta/quantity.ts';

function quantity(text: string): Quantity {
  const reading = parseQuantity(text);
  if (reading.outcome === 'malformed') throw new Error(`${text}: ${reading.error}`);
  return reading.quantity;
}

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

// apimachinery pkg/api/resource/quantity_test.go (TestQuantityParse, TestQuantityString) and spec/kubectl.md section 7.2.
test.each([
  ['0', '0'],
  ['0n', '0'],
  ['0Ki', '0'],
  ['1', '1'],
  ['01', '01'],
  ['1.5', '1500m'],
  ['1e3', '1e3'],
  ['1E3', '1E3'],
  ['100e2', '10e3'],
  ['1000m', '1'],
  ['1024Mi', '1Gi'],
  ['1023Mi', '1023Mi'],
  ['1.5Gi', '1536Mi'],
  ['0.5Gi', '512Mi'],
  ['0.1Ki', '102400m'],
  ['1024', '1024'],
  ['1000', '1k'],
  ['1000000', '1M'],
  ['.001', '1m'],
  ['0.0001k', '100m'],
  ['12.500', '12.500'],
  ['-1500m', '-1500m'],
  ['-1.5', '-1500m'],
  ['+1', '+1'],
  ['0.0000000001', '1n'],
  ['1e-1000000', '1e-9'],
  ['9223372036854775807', '9223372036854775807'],
  ['9223372036854775808', '9223372036854775808'],
  ['100000000000000000000', '100E'],
  ['16Ei', '9223372036854775807'],
  ['1000E', '1e21'],
  ['1e2147483647', '10e2147483646'],
])('%s is printed as %s', (text, expected) => {
  expect(canonicalQuantity(text)).toEqual({ text: expected });
});

test.each([
  ['', wrongFormat],
  ['abc', wrongFormat],
  ['1,5', wrongFormat],
  ['1..2', wrongFormat],
  ['true', wrongFormat],
  ['1x', wrongFormat],
  [' 1', wrongFormat],
  ['1ki', "unable to parse quantity's suffix"],
  ['1e', "unable to parse quantity's suffix"],
  ['1Mi3', "unable to parse quantity's suffix"],
])('%j is no quantity', (text, error) => {
  expect(canonicalQuantity(text)).toEqual({ error });
});

test.each([
  ['1', '1000m', 0],
  ['1Ki', '1k', 1],
  ['-1', '1', -1],
  ['-2', '-1', -1],
  ['0', '-1n', 1],
  ['1e2000000', '1e1999999', 1],
  ['1e2000000', '1', 1],
])('%s against %s', (a, b, expected) => {
  expect(Math.sign(compareQuantities(quantity(a), quantity(b)))).toBe(expected);
});

test.each([
  ['1', '500m', '1500m'],
  ['1Gi', '1Gi', '2Gi'],
  ['0', '1Ki', '1Ki'],
  ['1Ki', '1', '1025'],
])('%s and %s make %s', (a, b, expected) => {
  expect(quantityText(addQuantities(quantity(a), quantity(b)))).toBe(expected);
});

test.each([
  ['1500m', 2n, 1500n],
  ['-1500m', -2n, -1500n],
  ['1Ki', 1024n, 1024000n],
  ['0.1m', 1n, 1n],
])('%s is rounded up to whole units and to thousandths', (text, whole, milli) => {
  expect([quantityValue(quantity(text)), quantityMilliValue(quantity(text))]).toEqual([whole, milli]);
});

test.each([
  ['0.1m', '1m'],
  ['1n', '1m'],
  ['-1n', '-1m'],
  ['1', '1'],
])('%s in a ResourceList is %s', (text, expected) => {
  expect(quantityText(roundUpQuantity(quantity(text), -3))).toBe(expected);
});

test('the negative of one half', () => {
  expect(quantityText(negateQuantity(quantity('500m')))).toBe('-500m');
});

test.each([
  ['zeros', `${'0'.repeat(200_000)}x`],
  ['digits', `${'9'.repeat(200_000)}x`],
  ['signs', `1${'E'.repeat(200_000)}-+`],
  ['inner zeros', `1${'0'.repeat(200_000)}1`],
])('many %s take no time', (_sentence, text) => {
  const started = performance.now();
  canonicalQuantity(text);
  expect(performance.now() - started).toBeLessThan(1000);
});
