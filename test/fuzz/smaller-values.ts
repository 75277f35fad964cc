/** Deeper values are shrunk as text. */
const deepest = 40;

/** JSON values with one part removed, the largest first: half of a list or text, a field, an item. */
export function* smallerValues(value: unknown, depth = deepest): Generator<unknown> {
  if (depth === 0) return;
  if (typeof value === 'string') yield* shorterTexts(value);
  else if (Array.isArray(value)) yield* shorterLists(value, depth);
  else if (typeof value === 'object' && value !== null) yield* fewerFields(value, depth);
}

function* shorterTexts(text: string): Generator<string> {
  if (text.length < 2) return;
  const half = Math.floor(text.length / 2);
  yield text.slice(0, half);
  yield text.slice(half);
}

function* shorterLists(list: readonly unknown[], depth: number): Generator<unknown> {
  const half = Math.ceil(list.length / 2);
  if (list.length > 1) {
    yield list.slice(0, half);
    yield list.slice(half);
  }
  for (const [index, item] of list.entries()) {
    // Long lists get shorter by halves first.
    if (index >= 20) return;
    if (list.length < 20) yield list.toSpliced(index, 1);
    for (const smaller of smallerValues(item, depth - 1)) yield list.with(index, smaller);
  }
}

function* fewerFields(fields: object, depth: number): Generator<unknown> {
  const entries = Object.entries(fields);
  if (entries.length > 20) {
    yield Object.fromEntries(entries.slice(0, entries.length / 2));
    yield Object.fromEntries(entries.slice(entries.length / 2));
  }
  for (const [name, inner] of entries.slice(0, 20)) {
    yield Object.fromEntries(entries.filter(([other]) => other !== name));
    for (const smaller of smallerValues(inner, depth - 1)) yield { ...fields, [name]: smaller };
  }
}
