export type GoBool =
  | { readonly outcome: 'read'; readonly value: boolean }
  /** `strconv.ParseBool: parsing "x": invalid syntax` */
  | { readonly outcome: 'wrong'; readonly error: string };

const spellings: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** Go's spellings of true and false. Follows strconv atob.go. */
export function parseGoBool(text: string): GoBool {
  const value = spellings.get(text);
  if (value !== undefined) return { outcome: 'read', value };
  return { outcome: 'wrong', error: `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax` };
}
