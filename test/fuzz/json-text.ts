/** JSON of a value, with integers beyond the precision of a double. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? Number(inner) : inner)) ?? 'null';
