const words: Readonly<Record<string, string>> = {
  string: 'a text',
  object: 'a mapping',
  array: 'a list',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'nothing',
};

/** JSON Schema's types in words: `a text, a mapping or a list`. */
export function typeNames(types: readonly string[]): string {
  const named = [...new Set(types.map((type) => words[type] ?? type))];
  const last = named.pop() ?? 'something else';
  return named.length === 0 ? last : `${named.join(', ')} or ${last}`;
}

/** What a value is: `a text`; small ones as they stand: `5`. */
export function typeName(value: unknown): string {
  if (value === null) return 'nothing';
  if (typeof value === 'string') return value.length <= 40 ? `the text ${JSON.stringify(value)}` : 'a text';
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'a mapping';
}
