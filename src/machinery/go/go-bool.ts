import { goQuote } from '../meta/field-error.ts';

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** Go's spellings of true and false; undefined for what is neither. Follows Go's strconv atob.go ParseBool. */
export const readGoBool = (text: string): boolean | undefined => truths.get(text);

/** Go's error for another text. */
export const goBoolFault = (text: string): string => `strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax`;
