/** Those of large objects: to find them takes milliseconds, and everybody who goes through the object asks. */
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
  if (names.length <= many) return names.toSorted();
  const sorted = knownSorted.get(names) ?? names.toSorted();
  knownSorted.set(names, sorted);
  return sorted;
}
