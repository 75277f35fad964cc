import { expect, test } from 'vitest';
import {
  formatMicroTime,
  formatTime,
  isZeroMoment,
  microMomentText,
  momentText,
  parseMicroTime,
  parseTime,
} from '../../../src/machinery/meta/time.ts';

const layout = '2006-01-02T15:04:05Z07:00';
const microLayout = '2006-01-02T15:04:05.000000Z07:00';

// go src/time/format.go Parse, as metav1.Time and MicroTime call it.
test.each([
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05.999Z', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05+01:30', '2026-01-02T01:34:05Z'],
  ['2026-01-02T03:04:05-24:00', '2026-01-03T03:04:05Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59Z'],
  ['2026-01-02T3:04:05Z', '2026-01-02T03:04:05Z'],
])('%s is %s', (text, expected) => {
  const reading = parseTime(text);
  expect(reading.outcome === 'parsed' && momentText(reading.moment)).toBe(expected);
});

test.each([
  ['nope', `parsing time "nope" as "${layout}": cannot parse "nope" as "2006"`],
  ['', `parsing time "" as "${layout}": cannot parse "" as "2006"`],
  ['2026', `parsing time "2026" as "${layout}": cannot parse "" as "-"`],
  ['2026-1-02T00:00:00Z', `parsing time "2026-1-02T00:00:00Z" as "${layout}": cannot parse "1-02T00:00:00Z" as "01"`],
  ['2026-13-02T00:00:00Z', 'parsing time "2026-13-02T00:00:00Z": month out of range'],
  ['2026-02-30T00:00:00Z', 'parsing time "2026-02-30T00:00:00Z": day out of range'],
  ['2026-02-03 00:00:00Z', `parsing time "2026-02-03 00:00:00Z" as "${layout}": cannot parse " 00:00:00Z" as "T"`],
  ['2026-02-03T24:00:00Z', 'parsing time "2026-02-03T24:00:00Z": hour out of range'],
  ['2026-02-03T00:00:00', `parsing time "2026-02-03T00:00:00" as "${layout}": cannot parse "" as "Z07:00"`],
  ['2026-02-03T00:00:00Zz', 'parsing time "2026-02-03T00:00:00Zz": extra text: "z"'],
  ['2026-02-03T00:00:00+25:00', 'parsing time "2026-02-03T00:00:00+25:00": time zone offset hour out of range'],
])('%j is no time', (text, error) => {
  expect(parseTime(text)).toEqual({ outcome: 'malformed', error });
});

test.each([
  ['2026-01-02T03:04:05.123456Z', '2026-01-02T03:04:05.123456Z'],
  ['2026-01-02T03:04:05.123456+01:00', '2026-01-02T02:04:05.123456Z'],
])('%s is %s in microseconds', (text, expected) => {
  const reading = parseMicroTime(text);
  expect(reading.outcome === 'parsed' && microMomentText(reading.moment)).toBe(expected);
});

test.each([
  ['2026-01-02T03:04:05Z', `cannot parse "Z" as ".000000"`],
  ['2026-01-02T03:04:05.123Z', `cannot parse ".123Z" as ".000000"`],
])('%s has too few decimals', (text, end) => {
  expect(parseMicroTime(text)).toEqual({
    outcome: 'malformed',
    error: `parsing time "${text}" as "${microLayout}": ${end}`,
  });
});

test('now is printed with and without microseconds', () => {
  expect(formatTime(1767323045678.9)).toBe('2026-01-02T03:04:05Z');
  expect(formatMicroTime(1767323045678.5)).toBe('2026-01-02T03:04:05.678500Z');
});

test("Go's zero time is known", () => {
  const reading = parseTime('0001-01-01T00:00:00Z');
  expect(reading.outcome === 'parsed' && isZeroMoment(reading.moment)).toBe(true);
});
