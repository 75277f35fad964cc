import { fieldsInTurns } from './fields-in-turns.ts';
import { areMany, namesOf } from './field-names.ts';
import { forEachInTurns, keptInTurns, workInTime } from './in-turns.ts';
import { setOwn } from './json.ts';
import type { Steps } from './pause.ts';

/**
 * What makes a copy of an object, to be changed. One of tens of thousands of fields is copied in turns, before: at once it
 * takes a tenth of a second.
 */
export function copyOf<T>(object: { readonly [name: string]: T }): () => Record<string, T> {
  const names = namesOf(object);
  if (!areMany(names)) return () => ({ ...object });
  const start = (): Record<string, T> => ({});
  const copy = forEachInTurns(names, start, (fields, name) => setOwn(fields, name, object[name]));
  return () => copy;
}

/** The copy itself, in steps. */
export const copyInSteps = <T>(object: { readonly [name: string]: T }): Steps<Record<string, T>> =>
  workInTime(() => copyOf(object)());

type Fields = { readonly [name: string]: unknown };

/** `{ ...object, ...fields }`; of wide ones in turns, or in the spare copy of the object. */
export function copyWith<T extends object, F extends object>(object: T, fields: F): T & F;
export function copyWith(object: Fields, fields: Fields): Fields {
  const [names, others] = [namesOf(object), namesOf(fields)];
  if (!areMany(names) && !areMany(others)) return { ...object, ...fields };
  const added = others.filter((name) => !Object.hasOwn(object, name));
  const { spare } = keptInTurns(() => ({ spare: added.length === 0 ? takeSpare(object) : undefined }));
  if (spare) return Object.assign(spare, fields);
  return fieldsInTurns([...names, ...added], (name) => (Object.hasOwn(fields, name) ? fields[name] : object[name]));
}

/** These fields, then those of the object that are others; of a wide object in turns. */
export function copyBehind<T extends object, F extends object>(fields: F, object: T): T & F;
export function copyBehind(fields: Fields, object: Fields): Fields {
  const names = namesOf(object);
  if (!areMany(names)) return { ...fields, ...object, ...fields };
  const others = names.filter((name) => !Object.hasOwn(fields, name));
  return fieldsInTurns([...Object.keys(fields), ...others], (name) =>
    Object.hasOwn(fields, name) ? fields[name] : object[name],
  );
}

/** The object without a field; of a wide object in turns. */
export function copyWithout<T extends object>(object: T, field: string): T;
export function copyWithout(object: Fields, field: string): Fields {
  const names = namesOf(object);
  if (areMany(names)) return fieldsInTurns(names, (name) => (name === field ? undefined : object[name]));
  const { [field]: _left, ...rest } = object;
  return rest;
}

const spares = new WeakMap<object, Fields>();

/**
 * Makes a copy of a wide object, in turns, for whoever changes a field of it next: a store has to do that at once. What is
 * not wide is copied in no time.
 */
export function keepSpare(object: Fields): void {
  const names = namesOf(object);
  if (areMany(names))
    spares.set(
      object,
      fieldsInTurns(names, (name) => object[name]),
    );
}

/** It is taken by one, who may change it. */
function takeSpare(object: object): Fields | undefined {
  const spare = spares.get(object);
  if (spare) spares.delete(object);
  return spare;
}
