/** Where reading a body stands after a piece of it. */
export type BodyState = 'more' | { readonly ended: Uint8Array; readonly left: number } | { readonly error: string };

/** Puts the body of an answer together. */
export interface BodyReader {
  readonly read: (piece: Buffer) => BodyState;
  /** The connection has ended. */
  readonly finish: () => BodyState;
}
