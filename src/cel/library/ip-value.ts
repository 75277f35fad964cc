/** An IPv4 (4 bytes) or IPv6 (16 bytes) address. `text` is its canonical form. */
export interface IpAddress {
  readonly bytes: readonly number[];
  readonly text: string;
}
