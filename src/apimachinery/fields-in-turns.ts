import { keepNames } from './field-names.ts';
import { forEachInTurns, isInTurns } from './in-turns.ts';
import { setOwn } from './json.ts';

interface Making<V> {
  readonly object: { [field: string]: V };
  readonly names: string[];
}

/**
 * An object with these fields in this order, each with what `made` makes of it, but without those it makes nothing of. Of
 * many, others are let in meanwhile, and nobody has to look for the names later.
 */
export function fieldsInTurns<V>(
  names: readonly string[],
  made: (name: string) => V | undefined,
): { readonly [field: string]: V } {
  if (!isInTurns(names.length)) return fieldsAtOnce(names, made);
  const start = (): Making<V> => ({ object: {}, names: [] });
  const making = forEachInTurns(names, start, (so, name) => {
    const value = made(name);
    if (value === undefined) return;
    setOwn(so.object, name, value);
    so.names.push(name);
  });
  keepNames(making.object, making.names);
  return making.object;
}

function fieldsAtOnce<V>(
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
