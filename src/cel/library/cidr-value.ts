import type { IpAddress } from './ip-value.ts';

/** An address with the length of its network prefix. */
export interface Cidr {
  readonly ip: IpAddress;
  readonly bits: number;
  readonly text: string;
}
