/** JSON of a value, which may hold whole numbers beyond what a double keeps. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? Number(inner) : inner)) ?? 'null';
