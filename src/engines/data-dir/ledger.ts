/** What is written with every batch, and must agree with what lies there. */
export interface Ledger {
  readonly version: number;
  readonly revision: number;
  readonly objects: number;
  /** Of the weights of all records, modulo 2^48. */
  readonly sum: number;
}

/** The form in which this kadmit writes a data directory; it reads this one and those before. */
export const dataVersion = 1;

/** Its first write gets revision 2, as in memory. */
export const emptyLedger: Ledger = { version: dataVersion, revision: 1, objects: 0, sum: 0 };

const modulus = 2 ** 48;

/** The sum with one weight in the place of another; `undefined` for none. */
export const replaced = (sum: number, before: number | undefined, after: number | undefined): number =>
  (sum + modulus - (before ?? 0) + (after ?? 0)) % modulus;

/** The ledger in this text, or undefined for none. */
export function readLedger(text: string): Ledger | undefined {
  const [version, revision, objects, sum, ...more] = text.split(' ').map(Number);
  if (version === undefined || revision === undefined || objects === undefined || sum === undefined) return undefined;
  if (more.length > 0 || ![version, revision, objects, sum].every(Number.isSafeInteger)) return undefined;
  return { version, revision, objects, sum };
}

export const writeLedger = ({ version, revision, objects, sum }: Ledger): string =>
  [version, revision, objects, sum].join(' ');
