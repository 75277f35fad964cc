/** Finds out where documents end. */
export interface Splitter {
  /** Those that end in this piece of the text. */
  readonly push: (piece: string) => readonly string[];
  /** How much stands behind the last, and what. */
  readonly size: () => number;
  readonly rest: () => string;
}
