/** Adds all, however many: as arguments of one call they could be too many for the stack. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
