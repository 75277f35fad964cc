/** The value of a key that comes from outside: undefined for those that every object inherits, like `constructor`. */
export const ownValue = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
