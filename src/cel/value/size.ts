import { codePointLength } from '../syntax/code-points.ts';
import { mapSize } from './map-key.ts';
import { CelError, isList, isMap, type Result } from './value.ts';

/** What a call costs: always the same, or by its first two arguments (null for none) and its result. */
export type CallCost = number | ((first: Result, second: Result, result: Result) => number);

/** Code points, bytes, elements or entries; 1 for everything else, errors too. */
export function sizeOf(value: Result | undefined): number {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value !== 'object' || value === null || value instanceof CelError) return 1;
  if (isList(value) || value instanceof Uint8Array) return value.length;
  return isMap(value) ? mapSize(value) : 1;
}

export const tenth = (size: number): number => Math.ceil(size * 0.1);
