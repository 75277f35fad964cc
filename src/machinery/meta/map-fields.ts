import { setOwn } from '../json/json.ts';

/** An object with these fields in this order, each with what `made` returns for it; without those it returns undefined for. */
export function mapFields<V>(
  names: readonly string[],
  made: (name: string) => V | undefined,
): { readonly [field: string]: V } {
  const object: { [field: string]: V } = {};
  for (const name of names) {
    const value = made(name);
    if (value !== undefined) setOwn(object, name, value);
  }
  return object;
}
