/** The rendered rows of a long list. Sizes are in pixels. */
export interface RowWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  /** The height of the rows before `first`. */
  readonly before: number;
  readonly total: number;
}

const overscan = 12;

/** The visible rows, and some on either side. */
export function computeRowWindow(scrollTop: number, height: number, rowHeight: number, count: number): RowWindow {
  const top = Math.max(0, Math.min(scrollTop, count * rowHeight - height));
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + overscan);
  return { first, end, before: first * rowHeight, total: count * rowHeight };
}

/** The nearest scroll position that shows the row. */
export function scrollTo(row: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}
