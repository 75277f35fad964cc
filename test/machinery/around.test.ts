import { expect, test } from 'vitest';
import { within } from '../../src/machinery/around.ts';

type Port = (asked: string) => string;
const says =
  (name: string) =>
  (port: Port): Port =>
  (asked) =>
    `${name}(${port(`${asked} ${name}`)})`;

test('what stands around a port is met in the order of the list', () => {
  const port: Port = (asked) => asked;
  expect(within(port, [says('first'), says('second')])('asked')).toBe('first(second(asked first second))');
  expect(within(port, [])).toBe(port);
});
