import type { Eventually } from '../../src/apimachinery/eventually.ts';

/** A value that nobody has to wait for; it is a mistake if somebody has. */
export function there<T>(value: Eventually<T>): T {
  if (value instanceof Promise) throw new Error('it is not there yet');
  return value;
}
