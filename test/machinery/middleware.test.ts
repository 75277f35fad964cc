import { expect, test } from 'vitest';
import { wrap } from '../../src/machinery/middleware.ts';

type Port = (asked: string) => string;
const says =
  (name: string) =>
  (port: Port): Port =>
  (asked) =>
    `${name}(${port(`${asked} ${name}`)})`;

test('what stands around a port is met in the order of the list', () => {
  const port: Port = (asked) => asked;
  expect(wrap(port, [says('first'), says('second')])('asked')).toBe('first(second(asked first second))');
  expect(wrap(port, [])).toBe(port);
});
