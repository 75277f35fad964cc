import { expect, test } from 'vitest';
import { parseCronSchedule } from '../../../src/machinery/go/cron-schedule.ts';

// Source: github.com/robfig/cron/v3 parser.go and parser_test.go.

const long = '0'.repeat(100_000);

const faults: readonly [text: string, error: string][] = [
  ['', 'empty spec string'],
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  [' * * * * * * ', 'expected exactly 5 fields, found 6: [* * * * * *]'],
  ['@never', 'unrecognized descriptor: @never'],
  ['@daily ', 'unrecognized descriptor: @daily '],
  ['@every', 'unrecognized descriptor: @every'],
  ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
  ['@every 1h30', 'failed to parse duration @every 1h30: time: missing unit in duration "1h30"'],
  ['@every 1d', 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
  [`@every ${long}`, `failed to parse duration @every ${long}: time: missing unit in duration "${long}"`],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
  ['1,,b * * * *', 'failed to parse int from b: strconv.Atoi: parsing "b": invalid syntax'],
  ['*/ * * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
  ['*/-1 * * * *', 'negative number (-1) not allowed: -1'],
  ['* * * * mon-x', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  [
    '9223372036854775808 * * * *',
    'failed to parse int from 9223372036854775808: strconv.Atoi: parsing "9223372036854775808": value out of range',
  ],
  ['9223372036854775807 * * * *', 'end of range (9223372036854775807) above maximum (59): 9223372036854775807'],
  [`${long}x * * * *`, `failed to parse int from ${long}x: strconv.Atoi: parsing "${long}x": invalid syntax`],
];

const shown = (text: string): string => JSON.stringify(text.slice(0, 40));

test.each(faults.map(([text, error]) => [shown(text), text, error] as const))(
  '%s is no schedule',
  (_shown, text, error) => {
    expect(parseCronSchedule(text)).toEqual({ outcome: 'wrong', error });
  },
);

const fields: readonly [minutes: string, values: readonly number[], isStar: boolean][] = [
  ['5', [5], false],
  ['+5', [5], false],
  [`${long}5`, [5], false],
  ['1-3,,5', [1, 2, 3, 5], false],
  ['50/5', [50, 55], false],
  ['10-20/5', [10, 15, 20], false],
  ['*/30', [0, 30], false],
  ['?', Array.from({ length: 60 }, (_none, at) => at), true],
  ['*/1', Array.from({ length: 60 }, (_none, at) => at), true],
  [',', [], false],
];

test.each(fields.map(([minutes, ...rest]) => [shown(minutes), minutes, ...rest] as const))(
  '%s are minutes',
  (...row) => {
    const [, minutes, values, isStar] = row;
    const reading = parseCronSchedule(`${minutes}\t* * JAN Mon-fri`);
    expect(reading).toMatchObject({
      outcome: 'read',
      schedule: {
        type: 'fields',
        minute: { values: new Set(values), isStar },
        month: { values: new Set([1]), isStar: false },
        weekday: { values: new Set([1, 2, 3, 4, 5]), isStar: false },
      },
    });
  },
);

test('a duration may follow @every', () => {
  const schedule = { type: 'every', nanoseconds: 5_400_000_000_000n };
  expect(parseCronSchedule('@every 1h30m')).toEqual({ outcome: 'read', schedule });
});
