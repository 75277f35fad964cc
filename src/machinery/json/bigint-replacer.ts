// Replacers for JSON.stringify, which throws at a bigint. writeJson (json-writer.ts) prints them exactly; these are for
// values that are looked at, not sent.

export const bigintAsText = (_field: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

export const bigintAsNumber = (_field: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;
