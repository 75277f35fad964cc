import { keptInTurns } from './in-turns.ts';
import { sortedTexts } from './sort-in-turns.ts';

/** Those of large objects: to find them takes V8 milliseconds, and everybody who goes through the object asks. */
const known = new WeakMap<object, readonly string[]>();
const knownSorted = new WeakMap<readonly string[], readonly string[]>();
const many = 2_000;

/** The names of an object that nobody changes any more, as they stand. */
export function namesOf(object: object): readonly string[] {
  const found = known.get(object);
  if (found) return found;
  const names = Object.keys(object);
  if (names.length > many) known.set(object, names);
  return names;
}

/** The same in the order in which Go prints them. */
export function sortedNamesOf(object: object): readonly string[] {
  const names = namesOf(object);
  if (!areMany(names)) return names.toSorted();
  const { earlier } = keptInTurns(() => ({ earlier: knownSorted.get(names) }));
  const sorted = earlier ?? sortedTexts([...names]);
  knownSorted.set(names, sorted);
  return sorted;
}

/** Who has made an object has given it these names, in this order, each once: then nobody has to look for them. */
export function keepNames(object: object, names: readonly string[]): void {
  if (areMany(names) && !known.has(object) && !names.some(isWholeNumber)) known.set(object, names);
}

/** Are there so many that others should be let in while they are gone through? */
export const areMany = (names: readonly string[]): boolean => names.length > many;

/** The same of an object: known when somebody has listed or kept them. */
export const hasManyNames = (object: object): boolean => known.has(object);

/** Those stand before all others, by their size. Which of them are small enough V8 knows. */
const isWholeNumber = (name: string): boolean => /^\d/.test(name);
