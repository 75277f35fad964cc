import { expect, test } from 'vitest';
import { goDurationError, parseGoDuration, readGoDuration } from '../../../src/machinery/go/go-duration.ts';

// Source: go src/time/format.go ParseDuration and time_test.go parseDurationTests.
const durations: readonly [text: string, nanoseconds: bigint][] = [
  ['0', 0n],
  ['-0', 0n],
  ['5s', 5_000_000_000n],
  ['+5s', 5_000_000_000n],
  ['-1.5h', -5_400_000_000_000n],
  ['.5s', 500_000_000n],
  ['5.s', 5_000_000_000n],
  ['1h30m', 5_400_000_000_000n],
  ['1.s1ms', 1_001_000_000n],
  ['12µs', 12_000n],
  ['12μs', 12_000n],
  ['0.3333333333333333333h', 1_200_000_000_000n],
  ['0.9223372036854775807h', 3_320_413_933_267n],
  ['0.100000000000000000000h', 360_000_000_000n],
  ['9223372036854775807ns', 2n ** 63n - 1n],
  ['-9223372036854775808ns', -(2n ** 63n)],
  [`${'0'.repeat(100_000)}1s`, 1_000_000_000n],
  [`0.${'0'.repeat(100_000)}1s`, 0n],
];

const shown = (text: string): string => JSON.stringify(text.slice(0, 40));

test.each(durations.map(([text, value]) => [shown(text), value, text] as const))(
  '%s is %d ns',
  (_shown, nanoseconds, text) => {
    expect(parseGoDuration(text)).toEqual({ outcome: 'read', nanoseconds });
  },
);

const faults: readonly [text: string, fault: string][] = [
  ['', 'time: invalid duration ""'],
  ['-', 'time: invalid duration "-"'],
  ['s', 'time: invalid duration "s"'],
  ['.s', 'time: invalid duration ".s"'],
  ['+.s', 'time: invalid duration "+.s"'],
  [' 1s', 'time: invalid duration " 1s"'],
  ['5', 'time: missing unit in duration "5"'],
  ['1h30', 'time: missing unit in duration "1h30"'],
  ['1.1.1s', 'time: missing unit in duration "1.1.1s"'],
  ['3 days', 'time: unknown unit " days" in duration "3 days"'],
  ['1s ', 'time: unknown unit "s " in duration "1s "'],
  ['1"\\é\u0001', String.raw`time: unknown unit "\"\\\xc3\xa9\x01" in duration "1\"\\\xc3\xa9\x01"`],
  ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ['9223372036854775809ns', 'time: invalid duration "9223372036854775809ns"'],
  ['3000000h', 'time: invalid duration "3000000h"'],
  ['99999999999999999999s', 'time: invalid duration "99999999999999999999s"'],
  ['9'.repeat(100_000), `time: invalid duration "${'9'.repeat(100_000)}"`],
  ['0'.repeat(100_000), `time: missing unit in duration "${'0'.repeat(100_000)}"`],
];

test.each(faults.map(([text, fault]) => [shown(text), text, fault] as const))(
  '%s is no duration',
  (_shown, text, fault) => {
    expect(goDurationError(text)).toBe(fault);
  },
);

test.each([
  ['1m30s', 90_000],
  ['-0', 0],
  ['1µs', 0.001],
  ['1d', undefined],
  ['1'.repeat(500_000), undefined],
])('%.20j is %j milliseconds', (text, milliseconds) => {
  expect(readGoDuration(text)).toBe(milliseconds);
});
