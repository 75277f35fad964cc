/** The address of every node. */
export const hostAddress = '10.0.0.1';

/** Addresses of Pods, one after the other. */
export function podAddressAt(index: number): string {
  const [last, third] = [(index % 254) + 1, Math.floor(index / 254)];
  return `10.${64 + ((third >> 8) % 64)}.${third & 255}.${last}`;
}
