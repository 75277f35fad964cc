import { expect, test } from 'vitest';
import { humanDuration } from '../../../src/machinery/go/human-duration.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

// Source: apimachinery pkg/util/duration/duration_test.go
const facts: readonly [milliseconds: number, text: string][] = [
  [-3 * second, '<invalid>'],
  [-1.5 * second, '0s'],
  [-0.5 * second, '0s'],
  [0, '0s'],
  [999, '0s'],
  [119 * second, '119s'],
  [120 * second, '2m'],
  [121 * second, '2m1s'],
  [10 * minute - second, '9m59s'],
  [10 * minute, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [3 * hour + minute, '3h1m'],
  [8 * hour - minute, '7h59m'],
  [8 * hour, '8h'],
  [47 * hour, '47h'],
  [2 * day, '2d'],
  [2 * day + hour, '2d1h'],
  [8 * day - hour, '7d23h'],
  [8 * day, '8d'],
  [729 * day, '729d'],
  [730 * day, '2y'],
  [2 * 365 * day + 10 * day, '2y10d'],
  [8 * 365 * day - day, '7y364d'],
  [8 * 365 * day, '8y'],
  [30 * 365 * day, '30y'],
];

test.each(facts)('%d ms are %s', (milliseconds, text) => {
  expect(humanDuration(milliseconds)).toBe(text);
});
