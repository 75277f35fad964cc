import { isInt, type CelResult } from '../value/value.ts';

/** A small int as a number: an index, a count. undefined for everything else. */
export const smallInt = (value: CelResult): number | undefined => (isInt(value) ? Number(value) : undefined);
