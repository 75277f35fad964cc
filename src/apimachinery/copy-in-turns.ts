import { hasManyNames, namesOf } from './field-names.ts';
import { forEachInTurns, workInTime } from './in-turns.ts';
import { setOwn } from './json.ts';
import type { Steps } from './pause.ts';

/**
 * What makes a copy of an object, to be changed. One of tens of thousands of fields is copied in turns, before: at once it
 * takes a tenth of a second.
 */
export function copyOf<T>(object: { readonly [name: string]: T }): () => Record<string, T> {
  const names = namesOf(object);
  if (!hasManyNames(object)) return () => ({ ...object });
  const start = (): Record<string, T> => ({});
  const copy = forEachInTurns(names, start, (fields, name) => setOwn(fields, name, object[name]));
  return () => copy;
}

/** The copy itself, in steps. */
export const copyInSteps = <T>(object: { readonly [name: string]: T }): Steps<Record<string, T>> =>
  workInTime(() => copyOf(object)());
