/** Which rows of a long list are drawn. Sizes are in pixels. */
export interface RowWindow {
  readonly first: number;
  /** One after the last. */
  readonly end: number;
  /** The height that stands for the rows before `first`. */
  readonly before: number;
  /** The height of all rows. */
  readonly total: number;
}

const spare = 12;

/** The rows that can be seen, and some on either side. */
export function windowOf(scrollTop: number, height: number, rowHeight: number, count: number): RowWindow {
  const top = Math.max(0, Math.min(scrollTop, count * rowHeight - height));
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + spare);
  return { first, end, before: first * rowHeight, total: count * rowHeight };
}

/** Where to scroll so that the row can be seen: as little as possible. */
export function scrollTo(row: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}
