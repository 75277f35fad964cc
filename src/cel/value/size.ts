import { codePointLength } from '../syntax/code-points.ts';
import { mapSize } from './map-key.ts';
import { CelError, isCelList, isMap, type CelResult } from './value.ts';

/** What a call costs: always the same, or by its first two arguments (null for none) and its result. */
export type CallCost = number | ((first: CelResult, second: CelResult, result: CelResult) => number);

/** Code points, bytes, elements or entries; 1 for everything else, errors too. */
export function sizeOf(value: CelResult | undefined): number {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value !== 'object' || value === null || value instanceof CelError) return 1;
  if (isCelList(value) || value instanceof Uint8Array) return value.length;
  return isMap(value) ? mapSize(value) : 1;
}

export const tenth = (size: number): number => Math.ceil(size * 0.1);
