/**
 * Adds a field to those before it, which stand by rank. Few fields of a struct are there, and most come in order: that is
 * faster than to look for all that could be.
 */
export function putInPlace<T extends { readonly rank: number }>(fields: T[], field: T): void {
  let at = fields.length;
  for (let before = fields[at - 1]; before !== undefined && before.rank > field.rank; before = fields[at - 1]) {
    fields[at] = before;
    at -= 1;
  }
  fields[at] = field;
}
