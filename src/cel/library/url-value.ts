/** A URL as Go's net/url takes it apart. `text` is what String() prints. */
export interface Url {
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}
